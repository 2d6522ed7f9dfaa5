import { readArguments, run, UsageError, wholeNumber } from "../local/cli/command-line.ts";
import { report } from "./load/report.ts";
import { runLoad } from "./load/run-load.ts";

const help = `npm run load -- URL: loads a running service with a mix of requests, and shows how fast it answers.

It creates records named load_…, todos, posts, items and orders among them, and in the end removes all but the
orders. In the cloud that costs money: any URL but this machine's own needs --yes-this-is-mine. Clients begin one
after the other through the first half of the time; each sends its next request when the one before has been
answered. Ctrl-C ends it early; a second one at once. The exit code is 0 when every answer was as it should be.

  --seconds N         how long (10)
  --connections N     how many clients in the end (8)
  --requests N        the most requests (100000)
  --admin-password    the password of the account admin (or the variable ADMIN_PASSWORD): with it, the load
                      creates products of its own and orders them; without, it places no orders
  --yes-this-is-mine  allows any URL
  --help              this
`;

const options = {
  seconds: { type: "string", default: "10" },
  connections: { type: "string", default: "8" },
  requests: { type: "string", default: "100000" },
  "admin-password": { type: "string" },
  "yes-this-is-mine": { type: "boolean", default: false },
} as const;

await run(async () => {
  const given = readArguments(process.argv.slice(2), options, help);
  if (given === undefined) return 0;
  const { url, values } = given;
  const seconds = wholeNumber("seconds", values.seconds, { min: 1, max: 3_600 });
  const connections = wholeNumber("connections", values.connections, { min: 1, max: 1_000 });
  const requests = wholeNumber("requests", values.requests, { min: 1, max: 10_000_000 });
  if (!isThisMachine(url) && !values["yes-this-is-mine"])
    throw new UsageError(`${url.host} is not this machine: it would be filled with data, and you may have to pay \
for it. If it is yours, say --yes-this-is-mine.`);

  const interrupt = new AbortController();
  // After the first signal the default applies again: a second one ends the process at once.
  process.once("SIGINT", () => interrupt.abort());
  const stop = interrupt.signal;
  const adminPassword = values["admin-password"] ?? (process.env.ADMIN_PASSWORD || undefined);
  const { samples, weights } = await runLoad({
    url,
    seconds,
    connections,
    requests,
    adminPassword,
    stop,
    say,
  });
  process.stdout.write(report(samples, weights));
  if (stop.aborted) return 130;
  return samples.length > 0 && samples.every(({ isExpected }) => isExpected) ? 0 : 1;
});

function isThisMachine({ hostname }: URL): boolean {
  return /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}

/** Standard output is the report's. */
function say(text: string): void {
  process.stderr.write(`${text}\n`);
}
