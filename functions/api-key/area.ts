import { defineArea, list } from "../define-area.ts";
import { routes } from "./routes.ts";

export const area = defineArea(routes, {
  position: 8,
  tags: { "api-key": "Operations that require the static key; user lists are versioned by path" },
  // Counts what it reads.
  uses: { users: ["dynamodb:Query", "dynamodb:UpdateItem"] },
  secrets: ["API_KEYS"],
  limits: { "GET /api/v1/users": list, "GET /api/v2/users": list },
  firstRequest: "GET /api/v1/users",
  requests: {
    "GET /api/protected": {},
    "GET /api/v1/users": { query: { limit: 10 } },
    "GET /api/v2/users": { query: { limit: 10 } },
  },
});
