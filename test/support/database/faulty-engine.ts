import * as http from "node:http";
import { text } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import { startLoopback } from "../../../local/loopback.ts";

/** An attempt at a call of a function to the database. */
export interface DatabaseCall {
  /** Such as `PutItem`. */
  readonly operation: string;
  /** The same for all attempts at a call. */
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

/**
 * How a call fails. `throttled`, `failed`, `conflict`, `reset` and `stalled` do nothing: they respond with an error,
 * close the connection or never respond. `lost`, `resetAfter` and `stalledAfter` do the work and lose the response.
 * `delayed` does the work after 0.1 s. `leftOver` responds to a batch that nothing of it was processed.
 */
export type EngineFault =
  | "throttled"
  | "failed"
  | "conflict"
  | "reset"
  | "stalled"
  | "lost"
  | "resetAfter"
  | "stalledAfter"
  | "delayed"
  | "leftOver"
  | LateArrival;

/**
 * A call that does its work long after the caller has given it up. The time until then is that in which the engine gets
 * a number of other calls, so that nobody waits for it.
 */
export interface LateArrival {
  readonly afterCalls: number;
  /** It arrives at once as well, and its response is lost. */
  readonly isRepeated: boolean;
}

/** A proxy in front of a real engine, or of the endpoint that functions use, that lets calls fail. */
export interface FaultyEngine {
  readonly url: string;
  /** Where calls are passed to. */
  endpoint: string;
  /** Decides whether a call fails. */
  plan: (call: DatabaseCall) => EngineFault | undefined;
  /** Changes a call before it is passed on. */
  rewrite: ((call: DatabaseCall) => DatabaseCall["body"]) | undefined;
  /** Gets the responses of the engine. */
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
    const tracked = work.then(() => {
      inProgress.delete(tracked);
    });
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
    switch (fault) {
      case "throttled":
        return refuse(400, { __type: "com.amazonaws.dynamodb#ProvisionedThroughputExceededException" });
      case "failed":
        return refuse(500, { __type: "com.amazonaws.dynamodb#InternalServerError" });
      case "conflict":
        return refuse(400, conflict(body));
      case "leftOver":
        return refuse(200, { Responses: {}, UnprocessedKeys: body.RequestItems });
      case "reset":
        return request.socket.destroy();
      case "stalled":
        return;
      case "lost":
        await workAndLoseResponse();
        return refuse(500, { __type: "com.amazonaws.dynamodb#InternalServerError" });
      case "resetAfter":
        await workAndLoseResponse();
        return request.socket.destroy();
      case "stalledAfter":
        await workAndLoseResponse();
        return;
      case "delayed":
        await delay(100);
        return respond();
      case undefined:
        return respond();
    }
  }

  const server = await startLoopback((request, response) => {
    track(
      serve(request, response).then(
        () => undefined,
        (error: Error) => void response.destroy(error),
      ),
    );
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

/** How DynamoDB responds when another transaction changes the same items. */
function conflict({ TransactItems: items }: DatabaseCall["body"]): object {
  if (items === undefined) return { __type: "com.amazonaws.dynamodb#TransactionConflictException" };
  return {
    __type: "com.amazonaws.dynamodb#TransactionCanceledException",
    CancellationReasons: items.map((_, i) => ({ Code: i === 0 ? "TransactionConflict" : "None" })),
  };
}
