import { routes } from "../../../functions/demonstration/routes.ts";
import { measureArea } from "../../support/measure-area.ts";

/** These routes have no database. */
export const measurements = measureArea(routes, {
  limits: { "GET /error": [0, 0, 0], "GET /errors/{status}": [0, 0, 0] },
});
