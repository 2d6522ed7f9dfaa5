import { InvokeCommand, LambdaClient } from "@aws-sdk/client-lambda";
import { CommandError, UsageError } from "../cli/errors.ts";
import type { JobDefinition } from "../functions/define-area.ts";
import { definitions } from "../functions/definitions.ts";
import type { AgainResult } from "../lib/jobs/job.ts";
import { runOperatorCommand } from "./operator-command.ts";

const jobs = new Map<string, JobDefinition>(
  Object.entries(definitions).flatMap(([area, definition]) =>
    Object.entries(definition.jobs ?? {}).map(([name, job]) => [`${area}/${name}`, job] as const),
  ),
);

await runOperatorCommand({
  name: "job",
  description: `Runs a job that a schedule starts, or repeats one that messages or changes start: --again handles what is left
of them, which failed for good or is about to be handled. Both are safe to repeat.`,
  arguments: {
    job: {
      type: "string",
      isRequired: true,
      description: `which job: ${[...jobs.keys()].join(", ") || "there is none"}`,
    },
  },
  options: { again: { type: "boolean", description: "handle the messages and changes that are left" } },
  check({ job: label, again = false }) {
    const job = jobs.get(label);
    if (job === undefined) throw new UsageError(`There is no job "${label}".`);
    if (again === job.startedBy.endsWith(")"))
      throw new UsageError(
        `${label} is started by ${job.startedBy}: ${again ? "leave out" : "add"} --again.`,
      );
  },
  async run({ job, again }, { stage, isDryRun, progress, print }) {
    const FunctionName = stage.job(job);
    if (isDryRun) return progress(`Would run ${FunctionName} of ${stage.name}.`);
    // A job may take as long as Lambda allows, and a second attempt would run it twice.
    const patience = { requestHandler: { requestTimeout: 900_000 }, maxAttempts: 1 };
    const client = new LambdaClient({ ...stage.clientConfig, ...patience });
    const invoke = async (payload: object) => {
      const Payload = JSON.stringify(payload);
      const { FunctionError, Payload: bytes } = await client.send(
        new InvokeCommand({ FunctionName, Payload }),
      );
      const result = JSON.parse(Buffer.from(bytes ?? []).toString() || "null");
      if (FunctionError) throw new CommandError(`${job} failed: ${result?.errorMessage}. Its log says why.`);
      return result;
    };
    if (!again) {
      await invoke({});
      return print(`${job} has run.`);
    }
    let left: AgainResult;
    do {
      left = await invoke({ again });
      const { handled, failed, isComplete } = left;
      print(`${job}: ${handled} handled, ${failed} failed again${isComplete ? "" : ", more are left"}.`);
    } while (!left.isComplete && left.handled > 0);
    if (left.failed > 0) throw new CommandError(`${job} failed again: its log says why.`);
  },
});
