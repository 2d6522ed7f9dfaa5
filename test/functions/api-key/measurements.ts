import { routes } from "../../../functions/api-key/routes.ts";
import { measureArea } from "../../support/measure-area.ts";

export const measurements = measureArea(routes, { limits: { "GET /api/protected": [0, 0, 0] } });
