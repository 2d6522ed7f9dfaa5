import { routes } from "../../../functions/system/routes.ts";
import { type CostLimit, measureArea } from "../../support/measure-area.ts";

/** These routes have no database. */
const nothing: CostLimit = [0, 0, 0];

export const measurements = measureArea(routes, {
  limits: {
    "GET /": nothing,
    "GET /health": nothing,
    "GET /docs": nothing,
    "GET /docs/assets/{file}": nothing,
    "GET /openapi.json": nothing,
  },
  priced: { "GET /health": 0 },
});
