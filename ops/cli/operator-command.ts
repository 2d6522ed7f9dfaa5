import { parseArgs } from "node:util";
import { openStage, type StageResources } from "../stage.ts";
import { describe, UsageError } from "./errors.ts";

/** The options that a command has beside those of every command, by their names. */
interface Options {
  readonly [name: string]: { readonly type: "string" } | { readonly type: "boolean" };
}

/** What was given of them. */
type Values<O extends Options> = {
  readonly [N in keyof O]?: O[N] extends { readonly type: "string" } ? string : boolean;
};

/** What a command works with. */
export interface CommandContext<O extends Options> {
  /** The values of the command's own options. */
  readonly options: Values<O>;
  /** What was given beside the options. */
  readonly operands: readonly string[];
  readonly stage: StageResources;
  /** Whether it is only to say what it would do. */
  readonly isDryRun: boolean;
  /** Says what is being done, on standard error. */
  progress(text: string): void;
  /** Says what came of it, on standard output. */
  print(text: string): void;
}

/** A command of the stack's operator. */
export interface OperatorCommand<O extends Options> {
  /** The npm script. */
  readonly name: string;
  /** What follows `npm run <name> -- --stage …` in the help. */
  readonly synopsis: string;
  /** What it does, and a line for each of its options. */
  readonly help: string;
  readonly options: O;
  /**
   * Refuses what does not fit before anything is opened.
   *
   * @throws UsageError
   */
  check(options: Values<O>, operands: readonly string[]): void;
  run(context: CommandContext<O>): Promise<void>;
}

const commonOptions = {
  stage: { type: "string" },
  "dry-run": { type: "boolean" },
  help: { type: "boolean", short: "h" },
} as const;

const commonHelp = `
  --stage     dev or prod: the deployed stack resource-api-<stage>, found with the AWS credentials and region of
              the environment; AWS_ENDPOINT_URL is honoured. local: the run that uses DATA_DIR (.data)
  --dry-run   changes nothing, and says what would change
  -h, --help  this text

Exit codes: 0 done, 1 failed, 2 wrong usage.
`;

/**
 * Runs a command with this process's arguments, and sets the exit code: 0 when it is done, 1 when it failed, 2
 * when it was called wrongly.
 */
export async function runCommand<O extends Options>(command: OperatorCommand<O>): Promise<void> {
  try {
    await run(command);
  } catch (error) {
    const isUsage = error instanceof UsageError;
    process.exitCode = isUsage ? 2 : 1;
    process.stderr.write(`${describe(error)}${isUsage ? ` See npm run ${command.name} -- --help.` : ""}\n`);
  }
}

async function run<O extends Options>(command: OperatorCommand<O>): Promise<void> {
  const { values, operands } = readArguments(command.options);
  if (values.help) {
    process.stdout.write(
      `npm run ${command.name} -- --stage dev|prod|local ${command.synopsis}\n\n${command.help}\n${commonHelp}`,
    );
    return;
  }
  if (values.stage === undefined) throw new UsageError("Give --stage dev, prod or local.");
  command.check(values, operands);
  const stage = await openStage(values.stage, process.env.DATA_DIR || ".data");
  try {
    await command.run({
      options: values,
      operands,
      stage,
      isDryRun: values["dry-run"] ?? false,
      progress: (text) => process.stderr.write(`${text}\n`),
      print: (text) => process.stdout.write(`${text}\n`),
    });
  } finally {
    stage.close();
  }
}

function readArguments<O extends Options>(options: O) {
  try {
    const { values, positionals } = parseArgs({
      options: { ...options, ...commonOptions },
      allowPositionals: true,
    });
    return { values: values as Values<O> & Values<typeof commonOptions>, operands: positionals };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code?.startsWith("ERR_PARSE_ARGS")) throw new UsageError(`${message.replace(/\. To .*$/s, "")}.`);
    throw error;
  }
}

/**
 * Refuses operands, for commands that have none.
 *
 * @throws UsageError naming the first
 */
export function refuseOperands(operands: readonly string[]): void {
  const [first] = operands;
  if (first !== undefined) throw new UsageError(`"${first}" is too much.`);
}
