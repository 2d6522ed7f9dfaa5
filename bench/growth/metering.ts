import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Usage } from "../../test/support/programs/usage.ts";

/** A proxy in front of a DynamoDB that counts calls, for a client in another process. */
export interface MeteringProxy {
  readonly url: string;
  usageOf<T>(work: () => Promise<T>): Promise<Usage & { readonly result: T }>;
  close(): void;
}

/** @param engine the URL of the DynamoDB behind it */
export async function startMeteringProxy(engine: string): Promise<MeteringProxy> {
  let usage = { calls: 0, inSequence: 0, units: 0 };
  /** The longest chain of calls that have ended. */
  let ended = 0;
  const server = createServer(async (request, response) => {
    const inSequence = ended + 1;
    const body = JSON.parse(Buffer.concat(await request.toArray()).toString());
    const answer = await fetch(engine, {
      method: "POST",
      headers: {
        "content-type": "application/x-amz-json-1.0",
        "x-amz-target": String(request.headers["x-amz-target"]),
        authorization: String(request.headers.authorization),
        "x-amz-date": String(request.headers["x-amz-date"]),
      },
      body: JSON.stringify({ ...body, ReturnConsumedCapacity: "TOTAL" }),
    });
    const text = await answer.text();
    usage.calls += 1;
    usage.inSequence = Math.max(usage.inSequence, inSequence);
    ended = Math.max(ended, inSequence);
    for (const [, units] of text.matchAll(/"CapacityUnits":([\d.]+)/g)) usage.units += Number(units);
    response.writeHead(answer.status, { "content-type": "application/x-amz-json-1.0" }).end(text);
  });
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async usageOf(work) {
      usage = { calls: 0, inSequence: 0, units: 0 };
      ended = 0;
      const result = await work();
      return { ...usage, result };
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
