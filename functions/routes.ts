import type { Route } from "../lib/http/route.ts";
import { DEFAULT_VERSION_HEADER } from "../lib/validators/users-list.ts";
import { routes as accounts } from "./accounts/routes.ts";
import { routes as apiKey } from "./api-key/routes.ts";
import { routes as items } from "./items/routes.ts";
import { routes as login } from "./login/routes.ts";
import { routes as orders } from "./orders/routes.ts";
import { routes as posts } from "./posts/routes.ts";
import { routes as products } from "./products/routes.ts";
import { routes as system } from "./system/routes.ts";
import { routes as todos } from "./todos/routes.ts";
import { usersRoutes } from "./users/routes.ts";

/** Every route of the service by group: the folder, and so the Lambda function, that handles it. */
export const routesByGroup = {
  accounts,
  "api-key": apiKey,
  items,
  login,
  orders,
  posts,
  products,
  system,
  todos,
  users: usersRoutes(DEFAULT_VERSION_HEADER),
} satisfies Record<string, readonly Route[]>;

/** The groups with routes of their own; `fallback` handles all other requests. */
export type Group = keyof typeof routesByGroup;

/** The settings of a deployment that its declarations show. */
export interface ServiceSettings {
  /** The request header that selects the version of `GET /users`, in lower case. */
  readonly versionHeader: string;
}

/** The routes with the settings of a deployment. */
export function routesWith({ versionHeader }: ServiceSettings): typeof routesByGroup {
  return { ...routesByGroup, users: usersRoutes(versionHeader) };
}

/** The paths below which one function handles every request, even to unknown paths. */
export const groupsByPrefix = { "/api": "api-key" } as const satisfies Record<string, Group>;

/** A Lambda function of the gateway by its folder: `fallback` handles every request that no route matches. */
export type FunctionName = Group | "fallback";

/** A Lambda function by its folder: a schedule invokes `repair`, the gateway the others. */
export type LambdaName = FunctionName | "repair";
