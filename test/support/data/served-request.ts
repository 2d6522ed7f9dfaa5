import type { ServedRequest } from "../../../local/api-gateway/gateway.ts";

/** A request as a local run shows it. */
export const servedRequest: ServedRequest = {
  requestId: "id",
  method: "GET",
  target: "/todos/1",
  statusCode: 200,
  startedAt: 1000,
  milliseconds: 3.4,
  capacityUnits: 1,
  rawHeaders: [],
  requestBody: undefined,
  response: { statusCode: 200, headers: {}, body: Buffer.alloc(0) },
  start: "warm",
  calls: [],
};
