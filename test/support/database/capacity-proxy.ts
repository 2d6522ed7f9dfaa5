import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A call of DynamoDB, with its response. */
export interface MeteredCall {
  /** As in the header `X-Amz-Target`. */
  readonly operation: string;
  readonly body: Readonly<Record<string, unknown>>;
  /** The text of the response, with the consumed capacity. */
  readonly text: string;
}

type OnResponse = (call: MeteredCall) => void | Promise<void>;

/**
 * Starts a proxy on loopback in front of a DynamoDB, which asks for the consumed capacity of each call.
 *
 * @param engine the URL of the DynamoDB behind it
 * @param detail the value of `ReturnConsumedCapacity`
 * @param onCall called when a call arrives, before it is passed on; what it returns is called before the response is
 * sent
 */
export async function startCapacityProxy(
  engine: string,
  detail: "TOTAL" | "INDEXES",
  onCall: () => OnResponse | Promise<OnResponse>,
): Promise<{ readonly url: string; close(): Promise<void> }> {
  const server = createServer(async (request, response) => {
    const responding = onCall();
    const operation = String(request.headers["x-amz-target"]);
    const body = JSON.parse(Buffer.concat(await request.toArray()).toString());
    const onResponse = await responding;
    const answer = await fetch(engine, {
      method: "POST",
      headers: {
        "content-type": "application/x-amz-json-1.0",
        "x-amz-target": operation,
        authorization: String(request.headers.authorization),
        "x-amz-date": String(request.headers["x-amz-date"]),
      },
      body: JSON.stringify({ ...body, ReturnConsumedCapacity: detail }),
    });
    const text = await answer.text();
    await onResponse({ operation, body, text });
    response.writeHead(answer.status, { "content-type": "application/x-amz-json-1.0" }).end(text);
  });
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
