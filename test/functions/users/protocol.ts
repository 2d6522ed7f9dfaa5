import type { AreaProtocol } from "../../support/api/protocol.ts";
import { api } from "../../support/api/target.ts";
import { UNKNOWN_ID, uniqueWord } from "../../support/data/values.ts";

const user = { name: "Ada", email: "ada@example.com", age: 36 };
const create = async (fields = {}) => (await api.post("/users", { ...user, ...fields })).body;

/** Lists the users of a name that nobody else has. */
async function listNamed(path: string) {
  const name = uniqueWord();
  return { target: path + name, create: () => create({ name }) };
}

export const protocol: AreaProtocol = {
  samples: {
    users: async () => {
      const created = await api.post("/users", user);
      const path = `/users/${created.body.id}`;
      const changes = [
        ["PUT", path, { ...user, age: 37 }],
        ["PATCH", path, { name: "Lady Ada" }],
      ] as const;
      return { created, path, changes };
    },
  },
  lists: {
    "users with a name": () => listNamed("/users?name="),
    "users found by a text": () => listNamed("/users/search?q="),
    "users in an envelope": async () => ({
      target: "/users",
      create,
      headers: { "api-version": "2.0" },
      recordsOf: ({ users }: { users: { id: number }[] }) => users,
    }),
  },
  resumable: ["/users?", "/users?name=a&", "/users?role=user&", "/users/search?q=a&"],
  errors: [
    ["GET /users", 400, () => api.get("/users", { headers: { "api-version": "3.0" } })],
    ["GET /users", 400, () => api.get("/users?order=0")],
    ["POST /users", 400, () => api.post("/users", {})],
    ["GET /users/{id}", 404, () => api.get(`/users/${UNKNOWN_ID}`)],
    ["PUT /users/{id}", 404, () => api.put(`/users/${UNKNOWN_ID}`, user)],
  ],
};
