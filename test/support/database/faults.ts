import type { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";

/**
 * How one attempt at a call fails. `lost` does the work and loses the response, `late` does the work when the test lets
 * it arrive, the others do nothing. `contested` is a transaction that conflicts with another one and also fails a
 * condition.
 */
export type Fault = "conflict" | "contested" | "throttled" | "timeout" | "lost" | "late" | "refused";

/** The input of a call, as DynamoDB gets it. */
export interface CallInput {
  readonly UpdateExpression?: string;
  readonly ConditionExpression?: string;
  readonly Key?: Readonly<Record<string, unknown>>;
  readonly TransactItems?: readonly Readonly<Record<string, CallInput>>[];
}

/**
 * Decides whether an attempt fails, by its operation (`PutItem`), its number among the attempts at that operation, from
 * 1, and its input. A promise delays the attempt.
 */
export type Plan = (
  operation: string,
  attempt: number,
  input: CallInput,
) => Fault | undefined | Promise<Fault | undefined>;

const lateAttempts = new WeakMap<readonly string[], (() => Promise<unknown>)[]>();

/**
 * Lets the late attempts of a client arrive, one after the other.
 *
 * @param attempted from `injectFaults`
 * @returns how each ended: `done`, or the name of its error
 */
export async function deliver(attempted: readonly string[]): Promise<string[]> {
  const ends: string[] = [];
  for (const attempt of lateAttempts.get(attempted)?.splice(0) ?? [])
    ends.push(
      await attempt().then(
        () => "done",
        ({ name }: Error) => name,
      ),
    );
  return ends;
}

/**
 * Lets attempts of a client fail as AWS would; the embedded engine has neither conflicts nor throttling. It works below
 * the SDK's retries, so the plan decides about every attempt.
 *
 * @returns the operations attempted, in order
 */
export function injectFaults(client: DynamoDBDocumentClient, plan: Plan): string[] {
  const attempted: string[] = [];
  const late: (() => Promise<unknown>)[] = [];
  lateAttempts.set(attempted, late);
  client.middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        const operation = (commandName ?? "").replace(/Command$/, "");
        attempted.push(operation);
        const number = attempted.filter((other) => other === operation).length;
        const fault = await plan(operation, number, args.input as CallInput);
        if (fault === "lost") await next(args);
        if (fault === "late") late.push(() => next(args));
        if (fault !== undefined) throw errorOf(fault, operation);
        return next(args);
      },
    { name: "faults", step: "deserialize", priority: "high" },
  );
  return attempted;
}

function errorOf(fault: Fault, operation: string): Error {
  const isTransaction = operation.startsWith("TransactWrite");
  switch (fault) {
    case "conflict":
    case "contested":
      return isTransaction
        ? serviceError("TransactionCanceledException", {
            CancellationReasons: [
              { Code: "TransactionConflict" },
              { Code: fault === "contested" ? "ConditionalCheckFailed" : "None" },
            ],
          })
        : serviceError("TransactionConflictException");
    case "throttled":
      return serviceError("ProvisionedThroughputExceededException");
    case "timeout":
    case "lost":
    case "late":
      return Object.assign(new Error("The request timed out"), { name: "TimeoutError" });
    case "refused":
      return Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });
  }
}

function serviceError(name: string, extra: object = {}): Error {
  return Object.assign(
    new Error(name),
    { name, $fault: "client", $metadata: { httpStatusCode: 400 } },
    extra,
  );
}
