import { runCommand } from "../local/cli/command.ts";
import { UsageError } from "../local/cli/errors.ts";
import { loadReport } from "./load/report.ts";
import { runLoad } from "./load/run-load.ts";

await runCommand({
  name: "npm run load",
  description: `Loads a running service with a mix of requests and reports the response times of each route.

It creates records named load_… and removes all of them at the end, except orders. In the cloud this
costs money, so a URL on another machine needs --yes-this-is-mine. Clients start one after the other
during the first half of the time; each sends its next request when the previous one has been answered.
Ctrl-C ends the load early, a second Ctrl-C immediately. The exit code is 0 if every response was as
expected.`,
  arguments: { url: { type: "url", isRequired: true, description: "URL of the service" } },
  options: {
    seconds: { type: "integer", min: 1, max: 3_600, default: 10, placeholder: "n", description: "duration" },
    connections: {
      type: "integer",
      min: 1,
      max: 1_000,
      default: 8,
      placeholder: "n",
      description: "number of clients at the end",
    },
    requests: {
      type: "integer",
      min: 1,
      max: 10_000_000,
      default: 100_000,
      placeholder: "n",
      description: "maximum number of requests",
    },
    "admin-password": {
      type: "string",
      variable: "ADMIN_PASSWORD",
      placeholder: "password",
      description: "password of the account admin: needed to create products and order them",
    },
    "yes-this-is-mine": { type: "boolean", description: "allow a URL on another machine" },
  },
  async run({ url, seconds, connections, requests, "admin-password": adminPassword, ...confirmed }) {
    if (!isThisMachine(url) && !confirmed["yes-this-is-mine"])
      throw new UsageError(
        `${url.host} is not this machine. The load fills it with data and may cost you money. If it is yours, add \
--yes-this-is-mine.`,
      );
    const interrupt = new AbortController();
    // Listens once: a second signal has its default effect and ends the process immediately.
    process.once("SIGINT", () => interrupt.abort());
    const stop = interrupt.signal;
    const { samples, weights } = await runLoad({
      url,
      seconds,
      connections,
      requests,
      adminPassword,
      stop,
      progress,
    });
    process.stdout.write(loadReport(samples, weights));
    if (stop.aborted) return 130;
    return samples.length > 0 && samples.every(({ isExpected }) => isExpected) ? 0 : 1;
  },
});

function isThisMachine({ hostname }: URL): boolean {
  return /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}

/** Standard output is reserved for the report. */
function progress(text: string): void {
  process.stderr.write(`${text}\n`);
}
