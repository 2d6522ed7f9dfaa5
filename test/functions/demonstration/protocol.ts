import type { AreaProtocol } from "../../support/api/protocol.ts";
import { api } from "../../support/api/target.ts";

export const protocol: AreaProtocol = {
  errors: [
    ["GET /error", 400, () => api.get("/error")],
    ["GET /errors/{status}", 500, () => api.get("/errors/500")],
  ],
};
