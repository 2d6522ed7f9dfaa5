import { expect, it } from "vitest";
import { routes } from "../../../functions/items/routes.ts";
import { resolveStage } from "../../../infra/settings/stages.ts";
import { createHandler } from "../../../lib/http/handler.ts";
import { clientOf } from "../../support/api/invoke.ts";

it.each([
  ["0", "no-cache"],
  ["5", "max-age=5"],
])("itemCacheSeconds is how long an item can be cached: %s s", async (itemCacheSeconds, header) => {
  const { areaSettings } = resolveStage("dev", { itemCacheSeconds });
  const cacheSeconds = Number(areaSettings.itemCacheSeconds);
  const dependencies = { items: { get: async () => "{}" }, cacheSeconds };
  const api = clientOf(createHandler(routes, () => () => dependencies as never));
  expect((await api.get("/items/1")).headers.get("cache-control")).toBe(header);
});

it.each(["", "-1", "1.5", "a minute"])("itemCacheSeconds cannot be %j", (itemCacheSeconds) => {
  const message = "-c itemCacheSeconds=… must be a whole number of seconds";
  expect(() => resolveStage("dev", { itemCacheSeconds })).toThrow(message);
});
