import { createHandler } from "../../lib/http/handler.ts";
import { UNUSED_ID, warmUp } from "../../lib/http/warm-up.ts";
import { CouponsRepository } from "../../lib/repositories/coupons.ts";
import { documentClient } from "../../lib/repositories/dynamodb/client.ts";
import { tableName } from "../../lib/settings.ts";
import { routes } from "./routes.ts";

export const handler = createHandler(routes, () => ({
  coupons: new CouponsRepository(documentClient(), tableName("coupons")),
}));

await warmUp(handler, `/coupons/${UNUSED_ID}`);
