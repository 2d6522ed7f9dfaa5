import { setTimeout as wait } from "node:timers/promises";
import { documentClient } from "../../lib/dynamodb/client.ts";
import { setting, tableName } from "../../lib/settings.ts";
import { repairAndReport } from "./repair.ts";

/** EventBridge invokes it once a day (infra/repair.ts). */
export const handler = () =>
  repairAndReport(documentClient(), setting("TABLES_WITH_IDS").split(","), tableName, wait);
