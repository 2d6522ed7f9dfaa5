import { readFileSync } from "node:fs";
import { SourceMap } from "node:module";
import { fileURLToPath } from "node:url";
import { inspect } from "node:util";

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

const bundle = import.meta.url;
const POSITION = /(file:\/\/\S+?):(\d+):(\d+)/g;

/** Undefined until the first error, null without a source map. */
let map: SourceMap | null | undefined;

/** Node's `--enable-source-maps` would parse the source map at every cold start instead of at the first error. */
function withSourcePositions(stack: string): string {
  map ??= readMap();
  return stack.replace(POSITION, (text, file, line, column) => {
    const origin = file === bundle && map?.findEntry(Number(line) - 1, Number(column) - 1);
    if (!origin || !("originalSource" in origin)) return text;
    return `${origin.originalSource}:${origin.originalLine + 1}:${origin.originalColumn + 1}`;
  });
}

/** A missing or broken map must not hide the error. */
function readMap(): SourceMap | null {
  try {
    return new SourceMap(JSON.parse(readFileSync(`${fileURLToPath(bundle)}.map`, "utf8")));
  } catch {
    return null;
  }
}
