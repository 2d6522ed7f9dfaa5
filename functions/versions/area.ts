import { defineArea, list } from "../define-area.ts";
import { routes } from "./routes.ts";

export const area = defineArea(routes, {
  handledBy: "api-key",
  // Counts what it reads.
  uses: { users: ["dynamodb:Query", "dynamodb:UpdateItem"] },
  limits: { "GET /api/v1/users": list, "GET /api/v2/users": list },
  requests: {
    "GET /api/v1/users": { query: { limit: 10 } },
    "GET /api/v2/users": { query: { limit: 10 } },
  },
});
