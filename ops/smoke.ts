import { randomUUID } from "node:crypto";
import { runCommand } from "../cli/command.ts";
import { CommandError, messageOf, UsageError } from "../cli/errors.ts";
import { progress } from "../cli/progress.ts";
import { SERVICE_NAME } from "../lib/construct-ids.ts";
import { expectedMessage } from "./operator-command.ts";
import { observe } from "./smoke/observability.ts";
import { Document, SmokeTest, type Step } from "./smoke/smoke-test.ts";
import { deployedStack, describeStack } from "./stage.ts";

await runCommand({
  name: "npm run smoke",
  description: `Calls every route of a running service and verifies the responses, in less than a minute.

It creates records whose names contain smoke_… and deletes those that can be deleted; in prod, and with
--read-only, it only reads. Routes that need a credential are reported as not tested if it is missing. The exit
code is 0 if no call failed.

Prefer the variables to the options: other users of this machine can see a command's options.`,
  arguments: { url: { type: "url", description: "URL of the service, if there is no --stage" } },
  options: {
    stage: {
      type: "string",
      placeholder: "name",
      description: "dev, prod, or a name such as dev-alice, instead of a URL",
    },
    "api-key": { type: "string", variable: "API_KEY", placeholder: "key", description: "a static API key" },
    "admin-password": {
      type: "string",
      variable: "ADMIN_PASSWORD",
      placeholder: "password",
      description: "password of the account admin",
    },
    "read-only": {
      type: "boolean",
      description: "call only routes that change nothing, for a service in use",
    },
    observability: {
      type: "boolean",
      description:
        "with --stage: also check that logs, metrics, alarms and traces arrive; needs the AWS CLI, and takes minutes",
    },
  },
  async run({ url: given, stage, "api-key": apiKey, "admin-password": adminPassword, ...options }) {
    if ((given === undefined) === (stage === undefined))
      throw new UsageError("Give either <url> or --stage.");
    if (options.observability && stage === undefined) throw new UsageError("--observability needs --stage.");
    const stack = stage === undefined ? undefined : await describeStack(stage);
    const url = (given?.href ?? stack?.outputs.get("Url"))?.replace(/\/$/, "");
    if (url === undefined)
      throw new CommandError(`The stack ${stack?.name} has no address yet: repeat its deployment.`);
    const startedAt = performance.now();
    progress(`Testing ${url}`);
    const document = await readDocument(url);
    const unique = `_smoke_${randomUUID().slice(0, 8)}`;
    const isReadOnly = options["read-only"] || stage === "prod";
    const test = new SmokeTest({ url, document, unique, apiKey, adminPassword, isReadOnly });
    await test.run();
    const observed =
      options.observability && stack && stage ? await observe(await observedOf(url, stack, stage)) : [];
    const steps = [...test.steps, ...observed];
    const seconds = (performance.now() - startedAt) / 1000;
    process.stdout.write(smokeReport(steps, test.leftBehind, unique, seconds));
    return steps.some(({ outcome }) => outcome === "fail") ? 1 : 0;
  },
  expectedMessage,
});

/** @throws {CommandError} if no service responds there */
async function readDocument(url: string) {
  const response = await fetch(`${url}/openapi.json`, { signal: AbortSignal.timeout(10_000) }).catch(
    (error: Error) => {
      throw new CommandError(`No service responds there. ${messageOf(error.cause ?? error)}`);
    },
  );
  const { data } = Document.safeParse(await response.json().catch(() => undefined));
  if (data === undefined)
    throw new CommandError(`${url} is not the address of a service: it has no /openapi.json.`);
  return data;
}

/** A request whose traces to look for. */
async function observedOf(url: string, stack: Awaited<ReturnType<typeof describeStack>>, stage: string) {
  const startedAt = new Date();
  const { headers } = await fetch(`${url}/health`);
  const { template = { Resources: {} } } = (await deployedStack(stack.name)) ?? {};
  return {
    startedAt,
    requestId: headers.get("x-request-id") ?? "",
    logGroup: stack.ofType("AWS::Logs::LogGroup").SystemLogs ?? "",
    namespace: `${SERVICE_NAME}/${stage}`,
    alarms: `${stack.name}-`,
    isTraced: Object.values(template.Resources).some(
      ({ Properties }) => Properties?.TracingConfig !== undefined,
    ),
  };
}

/** @param leftBehind created records that no route deletes, in words; `unique` is part of their names */
function smokeReport(
  steps: readonly Step[],
  leftBehind: readonly string[],
  unique: string,
  seconds: number,
): string {
  const width = Math.max(...steps.map(({ call }) => call.length));
  const lines = steps.map(({ outcome, call, status = "", milliseconds, reason = "" }) => {
    const cells = [
      (outcome === "fail" ? "FAIL" : outcome).padEnd("not tested".length),
      call.padEnd(width),
      String(status).padEnd("200".length),
      milliseconds?.toFixed(0) ?? "",
      reason.replace(/\s*\n\s*/g, "; "),
    ];
    return `${cells.join("  ").trimEnd()}\n`;
  });
  const count = (wanted: Step["outcome"]) => steps.filter(({ outcome }) => outcome === wanted).length;
  const remaining =
    leftBehind.length === 0
      ? ""
      : `Left behind (names contain ${unique}), because no route deletes it: ${leftBehind.join(", ")}.\n`;
  return [
    ...lines,
    `\n${count("pass")} passed, ${count("fail")} failed, ${count("not tested")} not tested, in ${seconds.toFixed(1)} s.\n`,
    remaining,
  ].join("");
}
