import type { AreaProtocol } from "../../support/api/protocol.ts";
import { api } from "../../support/api/target.ts";

export const protocol: AreaProtocol = {
  errors: [["GET /api/protected", 401, () => api.get("/api/protected")]],
};
