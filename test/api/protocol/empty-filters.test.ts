import { expect, it } from "vitest";
import { allRoutes } from "../../../functions/definitions.ts";
import { api } from "../../support/api/target.ts";

const lists = [
  ["/users", ["name", "role"], { name: "Ada", email: "ada@example.com", age: 36 }],
  ["/posts", ["tag", "search"], { title: "Hello", content: "Words" }],
] as const;

it.each(lists.filter(([path]) => allRoutes.some(({ key }) => key === `GET ${path}`)))(
  "empty filters of %s do not apply: %j",
  async (path, names, record) => {
    expect(await api.post(path, record)).toMatchObject({ status: 201 });
    const found = names.map(async (name) => (await api.get(`${path}?limit=1&${name}=`)).body);
    expect(await Promise.all(found)).toEqual(names.map(() => [expect.any(Object)]));
  },
);
