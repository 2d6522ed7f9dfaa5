import { defineArea } from "../define-area.ts";
import { routes } from "./routes.ts";

export const area = defineArea(routes, {
  position: 8,
  tags: { "api-key": "Operations that require the static key" },
  secrets: ["API_KEYS"],
  requests: { "GET /api/protected": {} },
});
