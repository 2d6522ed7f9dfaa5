import { inject } from "vitest";
import type { AreaProtocol, CursorList } from "../../support/api/protocol.ts";
import { api } from "../../support/api/target.ts";

const list = async (target: string): Promise<CursorList> => ({
  target,
  headers: { "x-api-key": inject("target").apiKey ?? "" },
  create: async () => (await api.post("/users", { name: "Ada", email: "ada@example.com", age: 36 })).body,
  recordsOf: ({ users }: { users: { id: number }[] }) => users,
});

export const protocol: AreaProtocol = {
  lists: { "users, version 1": () => list("/api/v1/users"), "users, version 2": () => list("/api/v2/users") },
};
