import type { ServedRequest } from "../../../local/api-gateway/gateway.ts";

export const servedRequest: ServedRequest = {
  ...{ requestId: "id", method: "GET", target: "/todos/1", rawHeaders: [], requestBody: undefined },
  ...{ statusCode: 200, startedAt: 1000, milliseconds: 3.4, capacityUnits: 1, start: "warm", calls: [] },
  response: { statusCode: 200, headers: {}, body: Buffer.alloc(0) },
};
