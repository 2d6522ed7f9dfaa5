import { randomUUID } from "node:crypto";
import { runCommand } from "../cli/command.ts";
import { CommandError, UsageError } from "../cli/errors.ts";
import { textTable } from "../cli/table.ts";
import { SERVICE_NAME, smokeModes } from "../lib/construct-ids.ts";
import { createHttpClient, type HttpClient } from "./http-client.ts";
import { expectedMessage } from "./operator-command.ts";
import { observe } from "./smoke/observability.ts";
import { SmokeTest, type Step } from "./smoke/smoke-test.ts";
import { deployedStack, describeStack } from "./stage.ts";

await runCommand({
  name: "npm run smoke",
  description: `Calls every route of a running service and verifies the responses, in less than a minute.

It creates records whose names contain smoke_… and deletes those that can be deleted. Routes that need a
credential are reported as not tested if it is missing. The exit code is 0 if no call failed.

With --stage it tests the deployed stage, and changes there what the stage's setting smokeTest allows.

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
    "leave-nothing": { type: "boolean", description: "create only records that a route deletes" },
    "read-only": {
      type: "boolean",
      description: "call only routes that change nothing, for a service in use",
    },
    observability: {
      type: "boolean",
      description:
        "with --stage: also check that logs, metrics, alarms and traces arrive; needs the AWS CLI, and takes minutes",
    },
    json: { type: "boolean", description: "print the result as JSON" },
  },
  async run({ url, stage, "api-key": apiKey, "admin-password": adminPassword, ...options }) {
    if ((url === undefined) === (stage === undefined)) throw new UsageError("Give either <url> or --stage.");
    if (options.observability && stage === undefined) throw new UsageError("--observability needs --stage.");
    const stack = stage === undefined ? undefined : await describeStack(stage);
    const address = url?.href ?? stack?.outputs.get("Url");
    if (address === undefined)
      throw new CommandError(`The stack ${stack?.name} has no address yet: repeat its deployment.`);
    const startedAt = performance.now();
    const client = createHttpClient(new URL(address), 1);
    try {
      await client.send({ method: "GET", target: "/" }).catch((error: Error) => {
        throw new CommandError(`No service responds there. ${error.message}`, { cause: error });
      });
      if (
        url &&
        url.pathname !== "/" &&
        (await client.send({ method: "GET", target: "/health" })).status === 404
      )
        throw new CommandError(`${url} is not the address of a service. Is it ${url.origin}?`);
      const unique = `_smoke_${randomUUID().slice(0, 8)}`;
      const mode =
        smokeModes.findLast((each) => each !== "complete" && options[each]) ??
        smokeModes.find((each) => each === stack?.outputs.get("SmokeTest")) ??
        "complete";
      const test = new SmokeTest({ client, unique, apiKey, adminPassword, mode });
      await test.run();
      const observed =
        options.observability && stack && stage ? await observe(await observedOf(client, stack, stage)) : [];
      const steps = [...test.steps, ...observed];
      const seconds = (performance.now() - startedAt) / 1000;
      process.stdout.write(
        options.json
          ? `${JSON.stringify({ steps, leftBehind: test.leftBehind, unique, seconds })}\n`
          : smokeReport(steps, test.leftBehind, unique, seconds),
      );
      return steps.some(({ outcome }) => outcome === "fail") ? 1 : 0;
    } finally {
      client.close();
    }
  },
  expectedMessage,
});

/** A request whose traces to look for. */
async function observedOf(
  client: HttpClient,
  stack: Awaited<ReturnType<typeof describeStack>>,
  stage: string,
) {
  const startedAt = new Date();
  const { headers } = await client.send({ method: "GET", target: "/health" });
  const { template = { Resources: {} } } = (await deployedStack(stack.name)) ?? {};
  return {
    startedAt,
    requestId: String(headers["x-request-id"]),
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
  const rows = steps.map(({ outcome, area, call, status, milliseconds, reason = "" }) => [
    outcome === "fail" ? "FAIL" : outcome,
    area,
    call,
    status?.toString() ?? "",
    milliseconds?.toFixed(0) ?? "",
    reason.replace(/\s*\n\s*/g, "; "),
  ]);
  const count = (wanted: Step["outcome"]) => steps.filter(({ outcome }) => outcome === wanted).length;
  const remaining =
    leftBehind.length === 0
      ? ""
      : `Left behind (names contain ${unique}), because no route deletes it: ${leftBehind.join(", ")}.\n`;
  return [
    textTable(["", "Area", "Call", "Status", "ms", ""], rows),
    `\n${count("pass")} passed, ${count("fail")} failed, ${count("not tested")} not tested, in ${seconds.toFixed(1)} s.\n`,
    remaining,
  ].join("");
}
