import { setTimeout as wait } from "node:timers/promises";
import { documentClient } from "../../lib/repositories/dynamodb/client.ts";
import { tableName } from "../../lib/settings.ts";
import { repairAndReport } from "./repair-and-report.ts";

/** EventBridge invokes it once a day (infra/repair.ts). */
export const handler = () => repairAndReport(documentClient(), tableName, wait);
