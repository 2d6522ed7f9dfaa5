import { inspect } from "node:util";
import { withSourcePositions } from "./source-positions.ts";

/** A chain of causes can be a circle. */
const MAX_CAUSES = 5;

interface ErrorFields {
  readonly name: string;
  readonly message: string;
  readonly stack?: string;
  /** Of errors of Node, for example `ECONNREFUSED`. */
  readonly code?: string;
  /** Of errors of the AWS SDK: status, attempts, and the request id that AWS's support asks for. */
  readonly $metadata?: unknown;
  readonly cause?: ErrorFields;
}

/** Turns whatever was thrown into fields of a log line. Others of the SDK may hold an item's content. */
export function errorFields(thrown: unknown, causes = MAX_CAUSES): ErrorFields {
  if (!(thrown instanceof Error)) return { name: typeof thrown, message: inspect(thrown) };
  const { name, message, stack, cause } = thrown;
  const { code, $metadata } = thrown as { code?: unknown; $metadata?: unknown };
  return {
    name,
    message,
    ...(stack !== undefined && { stack: withSourcePositions(stack) }),
    ...(typeof code === "string" && { code }),
    ...($metadata !== undefined && { $metadata }),
    ...(cause !== undefined && causes > 0 && { cause: errorFields(cause, causes - 1) }),
  };
}
