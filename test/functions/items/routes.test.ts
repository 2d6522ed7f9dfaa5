import { describe, expect, it } from "vitest";
import { allRoutes } from "../../../functions/definitions.ts";
import { createNotFoundHandler } from "../../../functions/fallback/not-found.ts";
import { routes } from "../../../functions/items/routes.ts";
import { createHandler } from "../../../lib/http/handler.ts";
import { ItemsRepository } from "../../../lib/repositories/items.ts";
import { clientOf } from "../../support/api/invoke.ts";
import { engines, testClient } from "../../support/database/database.ts";
import { stackTable } from "../../support/infra/stack-table.ts";

describe.each(engines)("items on $name", ({ endpoint }) => {
  async function repository() {
    return new ItemsRepository(testClient(endpoint), await stackTable(endpoint, "items"));
  }

  it.each([
    [0, null],
    [5, "max-age=5"],
  ])("can be cached for the configured time: %i s", async (cacheSeconds, header) => {
    const items = await repository();
    const api = clientOf(createHandler(routes, () => ({ items, cacheSeconds })));
    await api.post("/items/", {});
    const { status, headers } = await api.get("/items/1");

    expect(status).toBe(200);
    expect(headers.get("cache-control")).toBe(header);
  });

  it("can be created through the fallback function", async () => {
    const items = await repository();
    const notFoundHandler = createNotFoundHandler(allRoutes);
    const api = clientOf(
      createHandler(
        routes.filter(({ dependencies }) => dependencies),
        () => ({ items, cacheSeconds: 0 }),
        notFoundHandler,
      ),
    );
    const { status, text, headers } = await api.send("POST", "/items/", '{"a": 1.0}');

    expect([status, text, headers.get("location")]).toEqual([201, '{"a": 1.0}', "/items/1"]);
    expect(await items.get(1)).toBe('{"a": 1.0}');
  });
});
