import { setTimeout as wait } from "node:timers/promises";
import { InvokeCommand, LambdaClient } from "@aws-sdk/client-lambda";
import { CommandError, UsageError } from "../cli/errors.ts";
import { isScheduled, type JobDefinition } from "../functions/define-area.ts";
import { definitions } from "../functions/definitions.ts";
import type { AgainResult } from "../lib/jobs/job.ts";
import { runOperatorCommand } from "./operator-command.ts";
import { isDue } from "./schedule.ts";

const jobs = new Map<string, JobDefinition>(
  Object.entries(definitions).flatMap(([area, definition]) =>
    Object.entries(definition.jobs ?? {}).map(([name, job]) => [`${area}/${name}`, job] as const),
  ),
);

await runOperatorCommand({
  name: "job",
  description: `Runs a scheduled job now. For a job that messages or changes start, --again handles those that are left: they
failed for good, or are still to be handled. Both are safe to repeat.`,
  arguments: {
    job: {
      type: "string",
      isRequired: true,
      description: `which job: ${[...jobs.keys()].join(", ") || "there is none"}`,
    },
  },
  options: {
    again: { type: "boolean", description: "handle the messages and changes that are left" },
    clock: { type: "boolean", description: "go on, and run the job whenever its schedule says so (UTC)" },
  },
  check({ job: label, again = false, clock = false }) {
    const definition = jobs.get(label);
    if (definition === undefined) throw new UsageError(`There is no job "${label}".`);
    const { startedBy } = definition;
    if (again === isScheduled(definition))
      throw new UsageError(`${label} is started by ${startedBy}: ${again ? "leave out" : "add"} --again.`);
    if (clock && !isScheduled(definition)) throw new UsageError(`--clock needs a job with a schedule.`);
  },
  async run({ job, again, clock }, { stage, stageName, print }) {
    const FunctionName = stage.job(job);
    // A job may take as long as Lambda allows, and a second attempt would run it twice.
    const patience = { requestHandler: { requestTimeout: 900_000 }, maxAttempts: 1 };
    const client = new LambdaClient({ ...stage.clientConfig, ...patience });
    const invoke: Invoke = async (payload) => {
      const Payload = JSON.stringify(payload);
      const sent = client.send(new InvokeCommand({ FunctionName, Payload }));
      const { FunctionError, Payload: bytes } = await sent;
      const result = JSON.parse(Buffer.from(bytes ?? []).toString() || "null");
      if (FunctionError) throw new CommandError(`${job} failed: ${result?.errorMessage}. Its log says why.`);
      return result;
    };
    if (again) return await repeat(job, invoke, print);
    if (clock && stageName !== "local")
      throw new CommandError("--clock is for the local run: deployed stages run their jobs on schedule.");
    if (clock) return await followClock(jobs.get(job)?.startedBy ?? "", job, invoke, print);
    await invoke({});
    print(`${job} has run.`);
  },
});

type Invoke = (payload: object) => Promise<unknown>;

/** Handles what is left, for as long as some of it succeeds. @throws {CommandError} if something fails again */
async function repeat(job: string, invoke: Invoke, print: (text: string) => void): Promise<void> {
  let result: AgainResult;
  do {
    result = (await invoke({ again: true })) as AgainResult;
    const { handled, failed, isComplete } = result;
    print(`${job}: ${handled} handled, ${failed} failed again${isComplete ? "" : ", more are left"}.`);
  } while (!result.isComplete && result.handled > 0);
  if (result.failed > 0) throw new CommandError(`${job} failed again: its log says why.`);
}

/** Runs a job in each minute in which it is due, until the command is interrupted. */
async function followClock(
  schedule: string,
  job: string,
  invoke: Invoke,
  print: (text: string) => void,
): Promise<never> {
  for (;;) {
    await wait(60_000 - (Date.now() % 60_000));
    if (!isDue(schedule, new Date())) continue;
    print(
      await invoke({}).then(
        () => `${job} has run.`,
        ({ message }) => message,
      ),
    );
  }
}
