import { defineArea, type RouteLimit } from "../define-area.ts";
import { routes } from "./routes.ts";

/** Sends up to 0.5 MB, which is most of what an attacker of a service without records could make it cost. */
const documentation: RouteLimit = { perSecond: 50, burst: 200 };

export const area = defineArea(routes, {
  position: 9,
  tags: { system: "Health checks and this documentation" },
  firstCalls: ["GET /health"],
  // The readiness check reads one item, which no account can be.
  uses: { accounts: ["dynamodb:GetItem"] },
  secrets: ["SIGNING_SECRETS"],
  limits: { "GET /docs": documentation, "GET /openapi.json": documentation, "GET /llms.txt": documentation },
  fields: {
    "Health.status": "The service responds",
    "Readiness.status": "The service can read its database and its signing secret",
  },
  examples: { Health: { status: "ok" }, Readiness: { status: "ready" } },
  firstRequest: "GET /health/ready",
  requests: {
    "GET /": {},
    "GET /health": {},
    "GET /health/ready": {},
    "GET /docs": {},
    "GET /docs/assets/{file}": { path: { file: "page.css" }, isIllustrative: true },
    "GET /openapi.json": {},
    "GET /llms.txt": {},
  },
});
