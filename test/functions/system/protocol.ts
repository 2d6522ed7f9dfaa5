import type { AreaProtocol } from "../../support/api/protocol.ts";
import { api } from "../../support/api/target.ts";

export const protocol: AreaProtocol = {
  errors: [["GET /docs/assets/{file}", 404, () => api.get("/docs/assets/none.js")]],
};
