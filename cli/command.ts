import { Argument, CommanderError, InvalidArgumentError, Option, Command as Program } from "commander";
import { errorText, UsageError } from "./errors.ts";
import type { Arguments, Flag, Options, Parameter, Values } from "./parameters.ts";

export interface Command<O extends Options = Options, A extends Arguments = Arguments> {
  /** How it is called, such as `npm run smoke`. */
  readonly name: string;
  readonly description: string;
  /** `--help` is added. */
  readonly options?: O;
  readonly arguments?: A;
  /** What an error of a library says that is expected; undefined for a defect. */
  readonly expectedMessage?: (error: Error) => string | undefined;
  /** @returns the exit code */
  run(values: Values<O> & Values<A>): Promise<number>;
}

/** Sets the exit code: 1 if the command throws, 2 for invalid arguments. Prints expected errors in a line. */
export async function runCommand<
  const O extends Options = Record<never, never>,
  const A extends Arguments = Record<never, never>,
>(command: Command<O, A>): Promise<void> {
  try {
    process.exitCode = await command.run(parse(command) as Values<O> & Values<A>);
  } catch (error) {
    // Commander has printed the help.
    if (error instanceof CommanderError) return;
    const isUsage = error instanceof UsageError;
    const expected = error instanceof Error ? command.expectedMessage?.(error) : undefined;
    process.stderr.write(
      `${expected ?? errorText(error)}${isUsage ? ` See ${command.name} -- --help.` : ""}\n`,
    );
    process.exitCode = isUsage ? 2 : 1;
  }
}

function parse(command: Omit<Command, "run">): Readonly<Record<string, unknown>> {
  const { options = {}, arguments: args = {} } = command;
  const program = new Program(`${command.name} --`)
    .description(command.description)
    .configureHelp({ helpWidth: process.stdout.columns ?? 120 })
    .configureOutput({ outputError: rejectUsage })
    .exitOverride();
  for (const [name, option] of Object.entries(options)) program.addOption(createOption(name, option));
  for (const [name, argument] of Object.entries(args)) {
    const label = argument.isRequired ? `<${name}>` : `[${name}]`;
    program.addArgument(withType(new Argument(label, argument.description), argument));
  }
  const required = program.options.filter(({ mandatory }) => mandatory).map(({ flags }) => flags);
  program.usage([...required, program.usage()].join(" "));
  program.addHelpText("after", "\nExit codes: 0 success, 1 failure, 2 invalid usage.");
  // Commander would report an invalid value before it looks for --help.
  const helpOnly = new Program().helpOption(false).option("-h, --help");
  helpOnly.parseOptions(process.argv.slice(2));
  if (helpOnly.getOptionValue("help")) program.help();
  program.parse();
  const optionValues = program.options.map((option) => {
    const value: unknown = program.getOptionValue(option.attributeName());
    if (value === true && !option.isBoolean()) rejectUsage(`option '${option.flags}' argument missing`);
    return [option.name(), option.isBoolean() ? value === true : value];
  });
  const argumentValues = Object.keys(args).map((name, at) => [name, program.processedArgs[at]]);
  return Object.fromEntries([...optionValues, ...argumentValues]);
}

/** @param text a message of commander */
function rejectUsage(text: string): never {
  const line = text.replaceAll(/^error: |\s+$/g, "").replaceAll(/\s+/g, " ");
  throw new UsageError(`${line.charAt(0).toUpperCase()}${line.slice(1)}${/[.)]$/.test(line) ? "" : "."}`);
}

function createOption(name: string, option: Flag | Parameter): Option {
  if (option.type === "boolean") return new Option(`--${name}`, option.description);
  const result = new Option(`--${name} <${option.placeholder ?? "value"}>`, option.description);
  // Commander takes even an option as a required value. Without a value, an optional one is true.
  Object.assign(result, { required: false, optional: true });
  return withType(result.makeOptionMandatory(option.isRequired ?? false), option);
}

function withType<T extends Option | Argument>(target: T, parameter: Parameter): T {
  if (parameter.type === "choice") target.choices(parameter.choices);
  else target.argParser((text): unknown => convert(parameter, text));
  if (parameter.type === "integer") target.default(parameter.default);
  return target;
}

/** `http://` may be omitted from URLs. */
function convert(parameter: Parameter, text: string): unknown {
  if (parameter.type === "integer") {
    const { min, max } = parameter;
    if (/^\d+$/.test(text) && Number(text) >= min && Number(text) <= max) return Number(text);
    throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`);
  }
  if (parameter.type !== "url") return text;
  const url = URL.parse(/^[a-z]+:\/\//i.test(text) ? text : `http://${text}`);
  if (url?.protocol === "http:" || url?.protocol === "https:") return url;
  throw new InvalidArgumentError("It must be an http or https URL.");
}
