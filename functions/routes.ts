import type { Route } from "../lib/http/route.ts";
import { VERSION_HEADER } from "../lib/validators/users-list.ts";
import { accountsRoutes } from "./accounts/routes.ts";
import { apiKeyRoutes } from "./api-key/routes.ts";
import { itemsRoutes } from "./items/routes.ts";
import { ordersRoutes } from "./orders/routes.ts";
import { nestedPostsRoutes } from "./posts/nested-routes.ts";
import { postsRoutes } from "./posts/routes.ts";
import { productsRoutes } from "./products/routes.ts";
import { demonstrationRoutes } from "./system/demonstration.ts";
import { documentationRoutes } from "./system/documentation-routes.ts";
import { systemRoutes } from "./system/routes.ts";
import { todosRoutes } from "./todos/routes.ts";
import { usersRoutes } from "./users/routes.ts";

/** Every route of the service under the folder, and so the Lambda function, that answers it. */
export const routesByGroup = {
  accounts: accountsRoutes,
  items: itemsRoutes,
  "api-key": apiKeyRoutes,
  orders: ordersRoutes,
  posts: [...postsRoutes, ...nestedPostsRoutes],
  products: productsRoutes,
  system: [...systemRoutes, ...documentationRoutes, ...demonstrationRoutes],
  todos: todosRoutes,
  users: usersRoutes(VERSION_HEADER),
} satisfies Record<string, readonly Route<never>[]>;

/** What of a deployment's settings its declarations show. */
export interface ServiceSettings {
  /** The request header that names the version of `GET /users`, in lower case. */
  readonly versionHeader: string;
}

/** The same as a deployment has them, which differs in names alone. */
export function routesWith({ versionHeader }: ServiceSettings): typeof routesByGroup {
  return { ...routesByGroup, users: usersRoutes(versionHeader) };
}

/** Paths below which one function answers for everything, also for what there is not. */
export const groupsByPrefix = { "/api": "api-key" } as const satisfies Record<
  string,
  keyof typeof routesByGroup
>;

/** The folders with routes of their own. */
export type Group = keyof typeof routesByGroup;

/** A Lambda function, by its folder: `fallback` handles every request that no route matches. */
export type FunctionName = Group | "fallback";
