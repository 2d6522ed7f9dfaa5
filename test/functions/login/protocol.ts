import type { AreaProtocol } from "../../support/api/protocol.ts";
import { api } from "../../support/api/target.ts";
import { logInWhenThrottled, newAccount } from "../../support/data/accounts.ts";

const unknown = { username: "nobody_at_all", password: "Wrong1234" };

export const protocol: AreaProtocol = {
  errors: [
    ["POST /auth/login", 401, () => api.post("/auth/login", unknown)],
    ["POST /auth/login", 422, () => api.post("/auth/login")],
    ["POST /auth/login", 429, () => logInWhenThrottled(newAccount())],
  ],
};
