import type { Template } from "aws-cdk-lib/assertions";
import type { PreparedRequest } from "../../functions/example-requests.ts";
import { SERVICE_NAME } from "../../lib/construct-ids.ts";
import { accessLogLine } from "../../test/support/infra/access-log.ts";
import { resourcesOf } from "../../test/support/infra/templates.ts";
import { runInMemory } from "../../test/support/programs/run.ts";
import { prepareMeasured } from "./measurements.ts";

/** CloudWatch Logs adds this to each event ("PutLogEvents"). */
const EVENT_OVERHEAD = 26;

/**
 * Measures the log lines of one request in a warm environment, of the function and of the gateway's access log. Lambda itself writes none for a request that succeeds,
 * since the system log level is WARN.
 *
 * @param name the measured request
 * @param template has the format of the access log, and the functions' log levels
 * @returns the billed bytes of the lines
 */
export async function logBytes(name: string, template: Template): Promise<number> {
  const run = await runInMemory();
  try {
    const send = ({ method, target, body }: PreparedRequest) =>
      fetch(`${run.url}${target}`, { method, body: body === undefined ? null : JSON.stringify(body) });
    const request = await prepareMeasured(name, {
      count: 0,
      unique: "",
      create: async (creation) => Number((await send(creation)).headers.get("location")?.split("/").at(-1)),
    });
    const before = run.lines.length;
    const { status } = await send(request);
    const lines = run.lines.slice(before).map(({ text }) => text);
    if (status !== 200 || lines.length !== 1)
      throw new Error(`Expected one line of a 200, got ${status}: ${lines.join("\n")}`);
    const levels = resourcesOf(template, "AWS::Lambda::Function").map(
      ([, { Properties }]) => Properties.LoggingConfig.SystemLogLevel,
    );
    if (levels.some((level) => level !== "WARN")) throw new Error("Lambda writes lines for every request");
    const asThere = lines.map((line) =>
      line
        .replaceAll(/"requestId":"[^"]*"/g, '"requestId":"JKJaXmPLvHcESHA="')
        .replaceAll(`${SERVICE_NAME}/dev`, `${SERVICE_NAME}/prod`)
        .replaceAll(/"duration":[\d.]+/g, '"duration":12.34'),
    );
    const all = [...asThere, accessLogLine(template)];
    return all.reduce((sum, line) => sum + Buffer.byteLength(line) + EVENT_OVERHEAD, 0);
  } finally {
    await run.close();
  }
}
