import { describe, expect, it } from "vitest";
import { routes } from "../../../functions/items/routes.ts";
import { createHandler } from "../../../lib/http/handler.ts";
import { ItemsRepository } from "../../../lib/repositories/items.ts";
import { clientOf } from "../../support/api/invoke.ts";
import { followLinks } from "../../support/api/links.ts";
import { engines, testClient } from "../../support/database/database.ts";
import { stackTable } from "../../support/infra/stack-table.ts";

describe.each(engines)("a page of items that exceeds a response on $name", ({ endpoint }) => {
  it("links to the rest", async () => {
    const items = new ItemsRepository(testClient(endpoint), await stackTable(endpoint, "items"));
    const api = clientOf(createHandler(routes, () => () => ({ items, cacheSeconds: 0 })));
    const ids = Array.from({ length: 36 }, (_, i) => i + 1);
    for (const id of ids) await items.create("{}", `${id} `.padEnd(190_000, "x"), undefined);
    expect((await api.get("/items?size=36")).body).toMatchObject({ total: 36, page: 1, size: 36, pages: 1 });
    const idsOf = ({ items: list }: { items: { id: number }[] }) => list.map(({ id }) => id);
    expect(await followLinks((next) => api.get(next), "/items?size=36", idsOf)).toEqual({
      records: ids,
      responses: 2,
    });
  });
});
