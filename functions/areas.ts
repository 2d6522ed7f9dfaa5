/*
 * The areas: each is a folder here, whose routes one function handles: its own, or `fallback` if the folder has no
 * index.ts. A line adds an area, or removes it (docs/your-own-service.md).
 */
export * as accounts from "./accounts/routes.ts";
export * as "api-key" from "./api-key/routes.ts";
export * as demonstration from "./demonstration/routes.ts";
export * as items from "./items/routes.ts";
export * as login from "./login/routes.ts";
export * as orders from "./orders/routes.ts";
export * as posts from "./posts/routes.ts";
export * as products from "./products/routes.ts";
export * as system from "./system/routes.ts";
export * as todos from "./todos/routes.ts";
export * as users from "./users/routes.ts";
export * as versions from "./versions/routes.ts";
