import { routes } from "../../../functions/users/routes.ts";
import { recordKey } from "../../../lib/records/id-blocks.ts";
import { measureArea } from "../../support/measure-area.ts";

export const measurements = measureArea(routes, {
  records: {
    // One in a thousand has a rare name.
    users: (id) => {
      const name = `${id % 1_000 === 0 ? "Rare" : "User"} ${id}`;
      return [{ ...recordKey(id), name, email: `user${id}@example.com`, age: id % 90 }];
    },
  },
  requests: {
    "GET /users, first page of 10": { query: { page: 1 } },
    "GET /users, last page of 10": ({ count }) => ({ query: { page: count / 10 } }),
    "GET /users, name, sort and role": { query: { name: "user", sort: "age", role: "admin" } },
    "GET /users, 10 of a name": { query: { name: "USER", limit: 10 } },
    "POST /users/search, of an age": { body: { filters: { age: 1_000 } } },
  },
  limits: {
    "GET /users/{id}": [1, 1, 1],
    "GET /users, 10 of a name": [5, 5, 4],
    "POST /users": [2, 2, 3],
    "PATCH /users/{id}": [1, 1, 1],
  },
  growth: [
    "GET /users",
    "GET /users?page=1&limit=10",
    "GET /users?page={last}&limit=10",
    "GET /users?name=user&limit=10",
    "GET /users?name=rare&limit=10",
    "GET /users?role=admin&limit=10",
    "GET /users?sort=age",
    "GET /users/search?q=rare&limit=10",
    'POST /users/search {"filters":{"age":7},"sort":"-id"}',
    "GET /users?name=nobody&limit=10",
    "GET /users?sort=name&limit=10",
    "GET /users?sort=age&order=desc&page=3&limit=10",
    "GET /users/search?q=nobody",
    'POST /users/search {"filters":{"email":"user5@example.com"}}',
    'POST /users/search {"filters":{},"sort":"-age"}',
  ],
});
