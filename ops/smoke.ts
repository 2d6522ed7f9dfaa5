import { randomUUID } from "node:crypto";
import { runCommand } from "../cli/command.ts";
import { CommandError, messageOf, UsageError } from "../cli/errors.ts";
import { progress } from "../cli/progress.ts";
import { allRoutes } from "../functions/definitions.ts";
import { expectedMessage } from "./operator-command.ts";
import { type Outcome, type Paths, SmokeTest } from "./smoke-test.ts";
import { describeStack } from "./stage.ts";

const width = Math.max(...allRoutes.map(({ key }) => key.length));

await runCommand({
  name: "npm run smoke",
  description: `Calls every route of a running service and verifies the responses, in less than a minute.

It creates records whose names contain smoke_… and deletes those that can be deleted; in prod, and with
--read-only, it only reads. Routes that need a static API key (the variable API_KEY) or the account admin
(ADMIN_PASSWORD) are reported as not tested if it is missing. The exit code is 0 if no call failed.`,
  arguments: { url: { type: "url", description: "URL of the service, if there is no --stage" } },
  options: {
    stage: {
      type: "string",
      placeholder: "name",
      description: "dev, prod, or a name such as dev-alice, instead of a URL",
    },
    "read-only": {
      type: "boolean",
      description: "call only routes that change nothing, for a service in use",
    },
  },
  async run({ url: given, stage, "read-only": onlyReads }) {
    if ((given === undefined) === (stage === undefined))
      throw new UsageError("Give either <url> or --stage.");
    const stack = stage === undefined ? undefined : await describeStack(stage);
    const url = (given?.href ?? stack?.outputs.get("Url"))?.replace(/\/$/, "");
    if (url === undefined)
      throw new CommandError(`The stack ${stack?.name} has no address yet: repeat its deployment.`);
    const startedAt = performance.now();
    progress(`Testing ${url}`);
    const unique = `_smoke_${randomUUID().slice(0, 8)}`;
    const isReadOnly = onlyReads || stage === "prod";
    // A pipeline without these secrets sets empty variables.
    const [apiKey, adminPassword] = [
      process.env.API_KEY || undefined,
      process.env.ADMIN_PASSWORD || undefined,
    ];
    const target = { url, paths: await readPaths(url), unique, apiKey, adminPassword, isReadOnly };
    const print = (text: string) => void process.stdout.write(`${text.trimEnd()}\n`);
    const counts: Record<Outcome, number> = { pass: 0, FAIL: 0, "not tested": 0 };
    const test = new SmokeTest(target, (outcome, call, details) => {
      counts[outcome] += 1;
      print(`${outcome.padEnd("not tested".length)}  ${call.padEnd(width)}  ${details}`);
    });
    const left = await test.run();
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    print(
      `\n${counts.pass} passed, ${counts.FAIL} failed, ${counts["not tested"]} not tested, in ${seconds} s.`,
    );
    if (left.length > 0)
      print(
        `Left behind (names contain ${unique}), because no route deletes it: what ${left.join(", ")} created.`,
      );
    return counts.FAIL > 0 ? 1 : 0;
  },
  expectedMessage,
});

/** @throws {CommandError} if no service responds there */
async function readPaths(url: string): Promise<Paths> {
  const response = await fetch(`${url}/openapi.json`, { signal: AbortSignal.timeout(10_000) }).catch(
    (error: Error) => {
      throw new CommandError(`No service responds there. ${messageOf(error.cause ?? error)}`);
    },
  );
  const { paths } = Object(await response.json().catch(() => undefined));
  if (typeof paths === "object") return paths;
  throw new CommandError(`${url} is not the address of a service: it has no /openapi.json.`);
}
