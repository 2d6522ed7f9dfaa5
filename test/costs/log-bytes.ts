import type { Template } from "aws-cdk-lib/assertions";
import { accessLogLine } from "../support/infra/access-log.ts";
import { runInMemory } from "../support/programs/run.ts";

/** CloudWatch Logs adds this to each event ("PutLogEvents"). */
export const EVENT_OVERHEAD = 26;

/** The suffix of CloudFormation for a function's name. */
const SUFFIX = "-AbCdEfGhIjKl";

/** Lambda's own lines for a request in its text format: an assumption. */
const id = "8f5e1c6a-2b7d-4f3e-9a1c-5d6e7f8a9b0c";
const platformLines = [
  `START RequestId: ${id} Version: $LATEST\n`,
  `END RequestId: ${id}\n`,
  `REPORT RequestId: ${id}\tDuration: 12.34 ms\tBilled Duration: 13 ms\tMemory Size: 1024 MB\tMax Memory Used: 110 MB\t\n`,
];

/**
 * Measures the log lines of one request for a todo in a warm environment.
 *
 * @param template has the format of the access log
 * @returns writer → the bytes of each line, without the overhead of an event
 */
export async function logBytes(template: Template): Promise<ReadonlyMap<string, readonly number[]>> {
  const run = await runInMemory({ environment: { POWERTOOLS_LOG_LEVEL: "INFO" } });
  try {
    await (await fetch(`${run.url}/todos`, { method: "POST", body: '{"title":"t"}' })).text();
    const before = run.lines.length;
    const { status } = await fetch(`${run.url}/todos/1`);
    const lines = run.lines.slice(before).map(({ text }) => text);
    const [name = ""] = lines.flatMap((line) => /"function_name":"([^"]+)"/.exec(line)?.[1] ?? []);
    if (status !== 200 || lines.length !== 2 || name === "")
      throw new Error(`Expected two lines of a 200, got ${status}: ${lines.join("\n")}`);
    const asThere = lines.map((line) =>
      line.replaceAll(name, name + SUFFIX).replaceAll(/"duration":[\d.]+/g, '"duration":12.34'),
    );
    return new Map([
      ["the function's line and its metrics", asThere.map(bytes)],
      ["the gateway's access log", [bytes(accessLogLine(template))]],
      ["Lambda itself", platformLines.map(bytes)],
    ]);
  } finally {
    await run.close();
  }
}

function bytes(line: string): number {
  return Buffer.byteLength(line);
}
