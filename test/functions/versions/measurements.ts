import { routes } from "../../../functions/versions/routes.ts";
import { measureArea } from "../../support/measure-area.ts";

export const measurements = measureArea(routes, {
  growth: ["GET /api/v1/users?limit=10", "GET /api/v2/users"],
});
