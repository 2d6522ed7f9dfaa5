import { demonstrationRoutes } from "./demonstration-routes.ts";
import { documentationRoutes } from "./documentation-routes.ts";
import { healthRoutes } from "./health-routes.ts";

export const routes = [...healthRoutes, ...documentationRoutes, ...demonstrationRoutes];
