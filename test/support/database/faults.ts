import type { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";

/**
 * How an attempt fails. `lost` does the work and loses the response, `late` works when the test lets it arrive, others do
 * nothing. `contested` is a transaction that conflicts and also fails a condition.
 */
export type Fault = "conflict" | "contested" | "throttled" | "timeout" | "lost" | "late" | "refused";

export interface CallInput {
  readonly UpdateExpression?: string;
  readonly ConditionExpression?: string;
  readonly Key?: Readonly<Record<string, unknown>>;
  readonly TransactItems?: readonly Readonly<Record<string, CallInput>>[];
}

/** Decides whether an attempt fails, by its number among those at the operation, from 1. A promise delays the attempt. */
export type Plan = (
  operation: string,
  attempt: number,
  input: CallInput,
) => Fault | undefined | Promise<Fault | undefined>;

const lateAttempts = new WeakMap<readonly string[], (() => Promise<unknown>)[]>();

/** Lets the late attempts of `injectFaults` arrive in order. @returns how each ended: `done`, or the name of its error */
export async function deliver(attempted: readonly string[]): Promise<string[]> {
  const ends: string[] = [];
  for (const attempt of lateAttempts.get(attempted)?.splice(0) ?? []) {
    const end = attempt().then(() => "done");
    ends.push(await end.catch(({ name }: Error) => name));
  }
  return ends;
}

/** Lets attempts fail below the SDK's retries: the plan sees each. @returns the operations attempted, in order */
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
    case "contested": {
      if (!isTransaction) return serviceError("TransactionConflictException");
      const codes = ["TransactionConflict", fault === "contested" ? "ConditionalCheckFailed" : "None"];
      const CancellationReasons = codes.map((Code) => ({ Code }));
      return serviceError("TransactionCanceledException", { CancellationReasons });
    }
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
  const members = { name, $fault: "client", $metadata: { httpStatusCode: 400 } };
  return Object.assign(new Error(name), members, extra);
}
