import { routes } from "../../../functions/accounts/routes.ts";
import { accountKey, accountPartitions } from "../../../lib/repositories/accounts/account-items.ts";
import { measureArea } from "../../support/measure-area.ts";

export const measurements = measureArea(routes, {
  records: {
    // Without the item that reserves the e-mail: no request reads it.
    accounts: (id) => {
      const username = `account${id}`;
      const account = { username, email: `${username}@example.com`, role: "user", age: null, website: null };
      return [{ ...accountKey(username), ...account, passwordHash: "x".repeat(96) }];
    },
  },
  requests: {
    "POST /users/batch, 25 users": ({ unique }) => ({
      body: Array.from({ length: 25 }, (_, i) => {
        const username = `many${unique}_${i}`;
        return { username, email: `${username}@example.com`, password: "Correct horse 1" };
      }),
    }),
  },
  limits: { "GET /users/me": [1, 1, 1] },
  keyGroups: { "accounts#": accountPartitions.length, "failures#": 1 },
  growth: ["GET /admin/users", "GET /admin/users?limit=10"],
  growthShare: 0.3,
});
