import { type Command, runCommand } from "../cli/command.ts";
import { CommandError } from "../cli/errors.ts";
import type { Arguments, Options, Values } from "../cli/parameters.ts";
import { progress } from "../cli/progress.ts";
import { isUnavailable } from "../lib/aws.ts";
import { stackNameOf } from "../lib/construct-ids.ts";
import { ApiError } from "../lib/domain/errors.ts";
import { CREATIONS_END_AFTER_MS } from "../lib/records/id-repair.ts";
import { readDataDirectory } from "../local/cli/settings.ts";
import { openStage, type StageResources } from "./stage.ts";

export interface OperatorContext {
  readonly stage: StageResources;
  readonly stageName: string;
  readonly isDryRun: boolean;
  progress(text: string): void;
  print(text: string): void;
}

/** A command for a stage's tables and secrets. `--stage` is added to its options. */
interface OperatorCommand<O extends Options, A extends Arguments>
  extends Pick<Command<O, A>, "name" | "description" | "options" | "arguments"> {
  /** Whether it can say what it would change; then `--dry-run` is added. */
  readonly hasDryRun?: true;
  /** Validates the values before the stage is opened. @throws {UsageError} */
  check?(values: Values<O> & Values<A>): void;
  run(values: Values<O> & Values<A>, context: OperatorContext): Promise<void>;
}

const stageOption = {
  type: "string",
  placeholder: "name",
  isRequired: true,
  description: `dev, prod, or a name such as dev-alice: the stack ${stackNameOf("<stage>")}, found with the AWS credentials, region and endpoint of the environment; local: the local run that uses DATA_DIR (default: .data)`,
} as const;
const dryRun = { type: "boolean", description: "change nothing, and print what would change" } as const;

/** Of commands that wait until what other processes write has ended. */
export const waitOption = {
  type: "integer",
  min: 0,
  max: 9_999,
  default: CREATIONS_END_AFTER_MS / 1_000,
  placeholder: "seconds",
  description:
    "how long to wait for running requests to finish; use less only if nothing else writes to the tables",
} as const;

export async function runOperatorCommand<
  const O extends Options = Record<never, never>,
  const A extends Arguments = Record<never, never>,
>(command: OperatorCommand<O, A>): Promise<void> {
  await runCommand({
    name: `npm run ${command.name}`,
    description: command.description,
    options: {
      stage: stageOption,
      ...(command.hasDryRun && { "dry-run": dryRun }),
      ...(command.options as O),
    },
    arguments: command.arguments as A,
    async run(values) {
      const { stage: stageName, "dry-run": isDryRun = false } = values as {
        stage: string;
        "dry-run"?: boolean;
      };
      command.check?.(values);
      const stage = await openStage(stageName, readDataDirectory(process.env));
      const print = (text: string) => void process.stdout.write(`${text}\n`);
      await command.run(values, { stage, stageName, isDryRun, progress, print });
      return 0;
    },
    expectedMessage,
  });
}

/** What an error says that AWS, its SDK, the repositories or files are expected to throw. */
export function expectedMessage(error: Error): string | undefined {
  if (error instanceof ApiError) {
    const { cause } = error;
    return cause instanceof Error ? `${error.message} (${codeOf(cause)})` : error.message;
  }
  const isUnreachable: boolean = !(error instanceof CommandError) && isUnavailable(error);
  if (isUnreachable) return `AWS is unreachable or overloaded: ${codeOf(error)}`;
  // Responses of a service have metadata, errors of credential providers say whether to try the next.
  if ("$metadata" in error || "tryNextLink" in error)
    return `${error.name}: ${error.message.replaceAll(/\s+/g, " ")}`;
  // Of the environment's settings, such as an endpoint of one's own and FIPS.
  if (error.name === "EndpointError")
    return `${error.message}: check the variables AWS_ENDPOINT_URL… and AWS_USE_….`;
  // Of a file.
  if ("syscall" in error && "path" in error) return error.message;
  if (error.message === "Region is missing") return "Missing AWS region: set AWS_REGION or choose a profile.";
  return undefined;
}

function codeOf(error: Error): string {
  return (error as NodeJS.ErrnoException).code ?? error.name;
}
