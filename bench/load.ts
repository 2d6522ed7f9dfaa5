import { writeFileSync } from "node:fs";
import { runCommand } from "../cli/command.ts";
import { UsageError } from "../cli/errors.ts";
import { progress } from "../cli/progress.ts";
import { textTable } from "../cli/table.ts";
import { expectedMessage } from "../ops/operator-command.ts";
import { formatMs, routeHeadings, routeRows } from "./load/report.ts";
import { runLoad } from "./load/run-load.ts";
import type { LoadFigures } from "./load/summary.ts";

const number = (min: number, max: number, description: string) =>
  ({ type: "integer", min, max, placeholder: "n", description }) as const;

await runCommand({
  name: "npm run load",
  description: `Loads a running service with a mix of requests and reports the response times of each route.

It creates records whose names contain load_… and removes those that a route deletes. In the cloud this
costs money, so a URL on another machine needs --yes-this-is-mine. Clients start one after the other
during the first half of the time; each sends its next request when the previous one has been answered.
Ctrl-C ends the load early, a second Ctrl-C immediately. The exit code is 0 if every response was as
expected, or within the given limits.`,
  arguments: { url: { type: "url", isRequired: true, description: "URL of the service" } },
  options: {
    seconds: { ...number(1, 3_600, "duration"), default: 10 },
    connections: { ...number(1, 1_000, "number of clients at the end"), default: 8 },
    requests: { ...number(1, 10_000_000, "maximum number of requests"), default: 100_000 },
    "admin-password": {
      type: "string",
      variable: "ADMIN_PASSWORD",
      placeholder: "password",
      description: "password of the account admin: needed for requests about records that only it can create",
    },
    json: { type: "string", placeholder: "file", description: "write the figures to this file" },
    "max-p99": { ...number(1, 60_000, "fail if 1 % of all responses take longer"), placeholder: "ms" },
    "max-errors": { ...number(0, 10_000_000, "fail if more responses are not as expected"), default: 0 },
    "yes-this-is-mine": { type: "boolean", description: "allow a URL on another machine" },
  },
  async run({ url, json, ...options }) {
    const isThisMachine = /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname);
    if (!isThisMachine && !options["yes-this-is-mine"])
      throw new UsageError(
        `${url.host} is not this machine. The load fills it with data and may cost you money. If it is yours, add \
--yes-this-is-mine.`,
      );
    const startedAt = new Date().toISOString();
    const interrupt = new AbortController();
    // Listens once: a second signal has its default effect and ends the process immediately.
    process.once("SIGINT", () => interrupt.abort());
    const { signal: stop } = interrupt;
    const figures = await runLoad({ ...options, url, adminPassword: options["admin-password"], stop });
    const summary = { url: url.href, startedAt, connections: options.connections, ...figures };
    process.stdout.write(textTable(routeHeadings, routeRows(figures)));
    if (json) writeFileSync(json, `${JSON.stringify(summary, null, 2)}\n`);
    if (stop.aborted) return 130;
    const failures = failuresOf(figures, options["max-errors"], options["max-p99"]);
    for (const failure of failures) progress(failure);
    return failures.length === 0 ? 0 : 1;
  },
  expectedMessage,
});

function failuresOf({ all }: LoadFigures, maxErrors: number, maxP99: number | undefined): string[] {
  const { requests, errors, p99 } = all;
  const count = Object.values(errors).reduce((sum, each) => sum + each, 0);
  if (requests === 0) return ["No requests were sent."];
  const failures: string[] = [];
  if (count > maxErrors) failures.push(`${count} responses were not as expected, more than ${maxErrors}.`);
  if (maxP99 !== undefined && p99 === null)
    failures.push(`${requests} requests are too few for --max-p99, which needs 100.`);
  if (maxP99 !== undefined && p99 !== null && p99 > maxP99)
    failures.push(`1 % of the responses took ${formatMs(p99)} ms or more, longer than ${maxP99} ms.`);
  return failures;
}
