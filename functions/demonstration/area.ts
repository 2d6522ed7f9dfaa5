import { defineArea } from "../define-area.ts";
import { routes } from "./routes.ts";

export const area = defineArea(routes, {
  position: 10,
  tags: { demonstration: "Deliberate errors" },
  requests: {
    "GET /error": {},
    "GET /errors/{status}": { path: { status: "400" } },
  },
});
