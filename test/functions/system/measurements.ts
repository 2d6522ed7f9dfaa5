import { routes } from "../../../functions/system/routes.ts";
import { measureArea } from "../../support/measure-area.ts";

export const measurements = measureArea(routes, { priced: { "GET /health": 0 } });
