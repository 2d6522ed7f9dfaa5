import type { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";

/**
 * How one attempt at a call fails. `lost` does the work and loses the response, the others do nothing. `contested` is a
 * transaction that conflicts with another one and also fails a condition.
 */
export type Fault = "conflict" | "contested" | "throttled" | "timeout" | "lost" | "refused";

/**
 * Decides whether an attempt fails, by its operation (`PutItem`) and its number among the attempts at that operation,
 * from 1. A promise delays the attempt.
 */
export type Plan = (operation: string, attempt: number) => Fault | undefined | Promise<Fault | undefined>;

/**
 * Lets attempts of a client fail as AWS would; the embedded engine has neither conflicts nor throttling. It works below
 * the SDK's retries, so the plan decides about every attempt.
 *
 * @returns the operations attempted, in order
 */
export function injectFaults(client: DynamoDBDocumentClient, plan: Plan): string[] {
  const attempted: string[] = [];
  client.middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        const operation = (commandName ?? "").replace(/Command$/, "");
        attempted.push(operation);
        const fault = await plan(operation, attempted.filter((other) => other === operation).length);
        if (fault === "lost") await next(args);
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
