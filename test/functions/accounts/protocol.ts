import type { AreaProtocol } from "../../support/api/protocol.ts";
import { api } from "../../support/api/target.ts";
import { newAccount, withAccount, withToken } from "../../support/data/accounts.ts";

async function registerTwice() {
  const user = newAccount();
  await api.post("/users/", user);
  const { status, headers, text } = await api.post("/users/", user);
  const exampleText = text.replace(user.username, "ada");
  return { status, headers, text: exampleText, body: JSON.parse(exampleText) };
}

export const protocol: AreaProtocol = {
  errors: [
    ["POST /users/", 409, registerTwice],
    ["POST /users/", 422, () => api.post("/users/", {})],
    ["POST /users/batch", 422, () => api.post("/users/batch", {})],
    ["GET /users/me", 401, () => api.get("/users/me")],
    ["GET /admin/users", 403, async () => api.get("/admin/users", withToken((await withAccount()).token))],
  ],
};
