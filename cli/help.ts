import {
  type Arguments,
  type Flag,
  labelWithValue,
  type Options,
  type Parameter,
  withHelp,
} from "./parameters.ts";

const WIDTH = 100;

export interface Described<O extends Options = Options, A extends Arguments = Arguments> {
  /** How it is called, such as `npm run load`. */
  readonly name: string;
  readonly description: string;
  /** `--help` is added. */
  readonly options?: O;
  readonly arguments?: A;
  /** The environment variables that it reads, with their meaning. */
  readonly variables?: Readonly<Record<string, string>>;
}

export function helpText({ name, description, variables = {}, ...command }: Described): string {
  const options = Object.entries(withHelp(command.options ?? {}));
  const args = Object.entries(command.arguments ?? {});
  const usage = [
    `Usage: ${name} --`,
    ...options.filter(([, option]) => isRequired(option)).map(([key, it]) => labelWithValue(`--${key}`, it)),
    ...args.map(([key, argument]) => {
      const label = labelWithValue(`<${key}>`, argument);
      return isRequired(argument) ? label : `[${label}]`;
    }),
    "[options]",
  ];
  return [
    `${usage.join(" ")}\n\n${description}\n`,
    section(
      "Arguments",
      args.map(([key, argument]) => [labelWithValue(`<${key}>`, argument), describe(argument)]),
    ),
    section(
      "Options",
      options.map(([key, option]) => [optionLabel(key, option), describe(option)]),
    ),
    section("Environment variables", Object.entries(variables)),
    "\nExit codes: 0 success, 1 failure, 2 invalid usage.\n",
  ].join("");
}

function isRequired(parameter: Flag | Parameter): boolean {
  return parameter.type !== "boolean" && parameter.isRequired === true;
}

function optionLabel(name: string, option: Flag | Parameter): string {
  const label = labelWithValue(`--${name}`, option);
  return option.type === "boolean" && option.short !== undefined ? `-${option.short}, ${label}` : label;
}

function describe(parameter: Flag | Parameter): string {
  const { description } = parameter;
  if (parameter.type === "integer" && parameter.default !== undefined)
    return `${description} (default: ${parameter.default})`;
  if (parameter.type === "string" && parameter.variable !== undefined)
    return `${description} (or the variable ${parameter.variable})`;
  return description;
}

/** Two columns under a title; nothing without rows. */
function section(title: string, rows: readonly (readonly [string, string])[]): string {
  if (rows.length === 0) return "";
  const indent = 4 + Math.max(...rows.map(([label]) => label.length));
  const lines = rows.map(([label, text]) => {
    const [first = "", ...others] = wrap(text, WIDTH - indent);
    return [`  ${label}`.padEnd(indent) + first, ...others.map((line) => " ".repeat(indent) + line)];
  });
  return `\n${title}:\n${lines.flat().join("\n")}\n`;
}

/** As many words to a line as fit, at least one. */
function wrap(text: string, width: number): readonly string[] {
  return text.match(new RegExp(`\\S.{0,${width - 1}}(?= |$)|\\S+`, "g")) ?? [];
}
