import type { AreaProtocol } from "../../support/api/protocol.ts";
import { api } from "../../support/api/target.ts";
import { logInWhenThrottled, newAccount, withAccount, withToken } from "../../support/data/accounts.ts";

const unknown = { username: "nobody_at_all", password: "Wrong1234" };

const change = { password: "Wrong1234", new_password: "Another horse 2" };

async function asOwner(method: string, path: string, json: unknown) {
  return api.request(method, path, json, withToken((await withAccount()).token));
}

export const protocol: AreaProtocol = {
  errors: [
    ["POST /auth/login", 401, () => api.post("/auth/login", unknown)],
    ["POST /auth/login", 422, () => api.post("/auth/login")],
    ["POST /auth/login", 429, () => logInWhenThrottled(newAccount())],
    ["PUT /users/me/password", 401, () => api.put("/users/me/password", unknown)],
    ["PUT /users/me/password", 403, () => asOwner("PUT", "/users/me/password", change)],
    ["PUT /users/me/password", 422, () => asOwner("PUT", "/users/me/password", {})],
    ["POST /users/me/deletion", 403, () => asOwner("POST", "/users/me/deletion", change)],
  ],
};
