import { describe, expect, it } from "vitest";
import { createNotFoundHandler } from "../../../functions/fallback/not-found.ts";
import { createItem, itemsRoutes } from "../../../functions/items/routes.ts";
import { routesByGroup } from "../../../functions/routes.ts";
import { createHandler } from "../../../lib/http/handler.ts";
import { ItemsRepository } from "../../../lib/repositories/items.ts";
import { engines, testClient } from "../../support/database.ts";
import { clientOf } from "../../support/invoke.ts";
import { stackTable } from "../../support/stack-table.ts";

describe.each(engines)("items on $name", ({ endpoint }) => {
  async function repository() {
    return new ItemsRepository(testClient(endpoint), await stackTable(endpoint, "items"));
  }

  it.each([
    [0, null],
    [5, "max-age=5"],
  ])("may be kept for as long as the deployment says: %i s", async (cacheSeconds, header) => {
    const items = await repository();
    const api = clientOf(createHandler(itemsRoutes, () => ({ items, cacheSeconds })));
    await api.post("/items/", {});
    const { status, headers } = await api.get("/items/1");

    expect(status).toBe(200);
    expect(headers.get("cache-control")).toBe(header);
  });

  it("are stored by the fallback too, where the gateway sends it the slash", async () => {
    const items = await repository();
    const routes = Object.values(routesByGroup).flat();
    const api = clientOf(createHandler([createItem], () => ({ items }), createNotFoundHandler(routes, [])));
    const { status, text, headers } = await api.send("POST", "/items/", '{"a": 1.0}');

    expect([status, text, headers.get("location")]).toEqual([201, '{"a": 1.0}', "/items/1"]);
    expect(await items.get(1)).toBe('{"a": 1.0}');
  });
});
