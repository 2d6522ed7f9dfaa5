import { describe, expect, it } from "vitest";
import { usersRoutes } from "../../../functions/users/routes.ts";
import { createHandler } from "../../../lib/http/handler.ts";
import { UsersRepository } from "../../../lib/repositories/users.ts";
import { clientOf } from "../../support/api/invoke.ts";
import { followLinks } from "../../support/api/links.ts";
import { engines, recordTable, testClient } from "../../support/database/database.ts";
import { authorization } from "./authorization.ts";

const idsOf = (records: readonly { id: number }[]) => records.map(({ id }) => id);

describe.each(engines)("lists that exceed a response on $name", ({ endpoint }) => {
  it("of users are complete across responses, in any order and on any page", async () => {
    const ids = Array.from({ length: 22 }, (_, i) => i + 1);
    const users = new UsersRepository(testClient(endpoint), await recordTable(endpoint));
    const dependencies = () => ({ ...authorization([]), users, usersList: "records" as const });
    const api = clientOf(createHandler(usersRoutes("api-version"), () => dependencies));
    for (const id of ids) {
      const name = `${String.fromCharCode(122 - id)}${"x".repeat(390_000)}`;
      await users.create({ name, email: "a@example.com", age: id % 3 }, undefined);
    }
    const byAge = [0, 1, 2].flatMap((age) => ids.filter((id) => id % 3 === age));

    const search = { filters: { email: "a@example.com" }, sort: "-age", size: 100 };
    const lists: [string, number[], object?][] = [
      ["/users", ids],
      ["/users/search?q=x", ids],
      ["/users?sort=name", ids.toReversed()],
      ["/users?limit=100", ids],
      ["/users?sort=age&limit=17", byAge],
      ["/users/search", byAge.toReversed(), search],
    ];

    for (const [target, records, body] of lists) {
      const send = (next: string) => (body ? api.post(next, body) : api.get(next));
      expect(await followLinks(send, target, idsOf), target).toEqual({ records, responses: 2 });
    }
  });
});
