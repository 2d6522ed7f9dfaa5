import * as http from "node:http";
import { text } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import { startLoopback } from "../../../local/loopback.ts";

export interface DatabaseCall {
  readonly operation: string;
  readonly invocation: string;
  readonly body: Write & {
    readonly RequestItems?: Readonly<Record<string, unknown>>;
    readonly TransactItems?: readonly Readonly<Record<string, Write>>[];
  };
}

/** The members of a write, alone or in a transaction, that plans look at. */
export interface Write {
  readonly TableName?: string;
  readonly UpdateExpression?: string;
  readonly ConditionExpression?: string;
  readonly ExpressionAttributeValues?: Readonly<Record<string, object>>;
  readonly Key?: { readonly pk?: { readonly S?: string } };
  readonly Item?: { readonly pk?: { readonly S?: string } };
}

/** Nothing is done: an error, a closed connection, no response, or a batch of which nothing is processed. */
type UndoneFault = "throttled" | "failed" | "conflict" | "reset" | "stalled" | "leftOver";
/** The response is lost, or late by 0.1 s. */
type DoneFault = "lost" | "resetAfter" | "stalledAfter" | "delayed";
export type EngineFault = UndoneFault | DoneFault | LateArrival;

/** A call that does its work after its caller has given up: once the engine got so many other calls. */
export interface LateArrival {
  readonly afterCalls: number;
  /** It arrives at once as well, and its response is lost. */
  readonly isRepeated: boolean;
}

/** A proxy in front of a real engine, or of the endpoint that functions use, that lets calls fail. */
export interface FaultyEngine {
  readonly url: string;
  endpoint: string;
  plan: (call: DatabaseCall) => EngineFault | undefined;
  rewrite: ((call: DatabaseCall) => DatabaseCall["body"]) | undefined;
  observe: ((call: DatabaseCall, response: object) => void) | undefined;
  /** Resolves when no call is in progress and all late ones have arrived. */
  idle(): Promise<void>;
  close(): Promise<void>;
}

export async function faultyEngine(endpoint: string): Promise<FaultyEngine> {
  const agent = new http.Agent({ keepAlive: true });
  const inProgress = new Set<Promise<void>>();
  const late: { readonly at: number; readonly arrive: () => Promise<unknown> }[] = [];
  let calls = 0;

  function track(work: Promise<void>): void {
    const tracked = work.then(() => void inProgress.delete(tracked));
    inProgress.add(tracked);
  }

  /** Lets late calls arrive. They are those of a caller that is gone, so nobody learns how they end. */
  function deliverLate(isDue: (at: number) => boolean): void {
    for (const call of late.filter(({ at }) => isDue(at))) {
      late.splice(late.indexOf(call), 1);
      track(call.arrive().then(() => undefined));
    }
  }

  async function pass({ headers }: http.IncomingMessage, body: string): Promise<http.IncomingMessage> {
    const { host } = new URL(engine.endpoint);
    const request = http.request(engine.endpoint, {
      method: "POST",
      agent,
      headers: { ...headers, host, "content-length": Buffer.byteLength(body) },
    });
    return await new Promise((resolve, reject) => {
      request.on("response", resolve).on("error", reject).end(body);
    });
  }

  async function serve(request: http.IncomingMessage, response: http.ServerResponse) {
    const received = await text(request);
    const operation = String(request.headers["x-amz-target"]).replace(/^.*\./, "");
    const invocation = String(request.headers["amz-sdk-invocation-id"]);
    calls += 1;
    deliverLate((at) => at <= calls);
    const body: DatabaseCall["body"] = JSON.parse(received);
    const sent = engine.rewrite ? JSON.stringify(engine.rewrite({ operation, invocation, body })) : received;
    const refuse = (status: number, json: object) =>
      response.writeHead(status, { "content-type": "application/x-amz-json-1.0" }).end(JSON.stringify(json));
    const respond = async () => {
      const engineResponse = await pass(request, sent);
      response.writeHead(engineResponse.statusCode ?? 500, engineResponse.headers);
      if (engine.observe === undefined) return engineResponse.pipe(response);
      const answer = await text(engineResponse);
      engine.observe({ operation, invocation, body }, JSON.parse(answer));
      return response.end(answer);
    };
    const workAndLoseResponse = async () => text(await pass(request, sent));
    const fault = engine.plan({ operation, invocation, body });
    if (typeof fault === "object") {
      late.push({ at: calls + fault.afterCalls, arrive: workAndLoseResponse });
      if (fault.isRepeated) await workAndLoseResponse();
      return request.socket.destroy();
    }
    if (fault && ["lost", "resetAfter", "stalledAfter"].includes(fault)) await workAndLoseResponse();
    switch (fault) {
      case "throttled":
        return refuse(400, { __type: "com.amazonaws.dynamodb#ProvisionedThroughputExceededException" });
      case "failed":
      case "lost":
        return refuse(500, { __type: "com.amazonaws.dynamodb#InternalServerError" });
      case "conflict":
        return refuse(400, conflict(body));
      case "leftOver":
        return refuse(200, { Responses: {}, UnprocessedKeys: body.RequestItems });
      case "reset":
      case "resetAfter":
        return request.socket.destroy();
      case "stalled":
      case "stalledAfter":
        return;
      case "delayed":
        await delay(100);
    }
    return respond();
  }

  const server = await startLoopback((request, response) => {
    const served = serve(request, response).then(() => undefined);
    track(served.catch((error: Error) => void response.destroy(error)));
  });
  const engine: FaultyEngine = {
    url: server.url,
    endpoint,
    plan: () => undefined,
    rewrite: undefined,
    observe: undefined,
    async idle() {
      while (inProgress.size > 0 || late.length > 0) {
        deliverLate(() => true);
        await Promise.all(inProgress);
      }
    },
    close: async () => {
      agent.destroy();
      await server.close();
    },
  };
  return engine;
}

function conflict({ TransactItems: items }: DatabaseCall["body"]): object {
  if (items === undefined) return { __type: "com.amazonaws.dynamodb#TransactionConflictException" };
  return {
    __type: "com.amazonaws.dynamodb#TransactionCanceledException",
    CancellationReasons: items.map((_, i) => ({ Code: i === 0 ? "TransactionConflict" : "None" })),
  };
}
