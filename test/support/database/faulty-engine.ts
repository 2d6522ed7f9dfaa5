import * as http from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/** A call of a function to the database. */
export interface DatabaseCall {
  /** Such as `PutItem`. */
  readonly operation: string;
  readonly body: {
    readonly TableName?: string;
    readonly RequestItems?: Readonly<Record<string, unknown>>;
    readonly TransactItems?: readonly Readonly<Record<string, { readonly TableName?: string }>>[];
  };
}

/**
 * How a call fails. `throttled` does nothing, `lost` does the work and loses the response, `leftOver` responds to a batch
 * that nothing of it was processed.
 */
export type EngineFault = "throttled" | "lost" | "leftOver";

/** A proxy in front of a real engine that lets calls fail. */
export interface FaultyEngine {
  readonly url: string;
  /** Decides whether a call fails. */
  plan: (call: DatabaseCall) => EngineFault | undefined;
  close(): Promise<void>;
}

/** Starts the proxy. */
export async function faultyEngine(endpoint: string): Promise<FaultyEngine> {
  const agent = new http.Agent({ keepAlive: true });

  /** Passes the call to the engine. */
  async function pass({ headers }: http.IncomingMessage, body: string, response: http.ServerResponse) {
    const request = http.request(endpoint, { method: "POST", agent, headers });
    const engineResponse = await new Promise<http.IncomingMessage>((resolve, reject) => {
      request.on("response", resolve).on("error", reject).end(body);
    });
    response.writeHead(engineResponse.statusCode ?? 500, engineResponse.headers);
    engineResponse.pipe(response);
  }

  async function serve(request: http.IncomingMessage, response: http.ServerResponse) {
    const sent = await text(request);
    const operation = String(request.headers["x-amz-target"]).replace(/^.*\./, "");
    const body: DatabaseCall["body"] = JSON.parse(sent);
    const refuse = (status: number, json: object) =>
      response.writeHead(status, { "content-type": "application/x-amz-json-1.0" }).end(JSON.stringify(json));
    switch (engine.plan({ operation, body })) {
      case "throttled":
        return refuse(400, { __type: "com.amazonaws.dynamodb#ProvisionedThroughputExceededException" });
      case "leftOver":
        return refuse(200, { Responses: {}, UnprocessedKeys: body.RequestItems });
      case "lost":
        await (await fetch(endpoint, { method: "POST", headers: forwarded(request), body: sent })).text();
        return refuse(500, { __type: "com.amazonaws.dynamodb#InternalServerError" });
      case undefined:
        return pass(request, sent, response);
    }
  }

  const server = http.createServer((request, response) => {
    serve(request, response).catch((error: Error) => response.destroy(error));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const engine: FaultyEngine = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    plan: () => undefined,
    close: async () => {
      agent.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return engine;
}

/** What an engine wants to see of a request's headers. */
function forwarded({ headers }: http.IncomingMessage): Record<string, string> {
  const wanted = ["content-type", "x-amz-target", "x-amz-date", "authorization"];
  return Object.fromEntries(wanted.map((name) => [name, String(headers[name])]));
}
