import { nestedPostRoutes } from "./nested-post-routes.ts";
import { postRoutes } from "./post-routes.ts";

export const routes = [...postRoutes, ...nestedPostRoutes];
