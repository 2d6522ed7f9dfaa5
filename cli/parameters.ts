import { parseArgs } from "node:util";
import { UsageError } from "./errors.ts";

export interface Flag {
  readonly type: "boolean";
  readonly description: string;
  readonly short?: string;
}

/** A value of an option or an argument. Without `isRequired` or `default` it may be undefined. */
export type Parameter = {
  readonly description: string;
  /** Stands for the value in the help: `--seconds <n>`. */
  readonly placeholder?: string;
  readonly isRequired?: true;
} & (
  | { readonly type: "string" /** Read when the option is absent. */; readonly variable?: string }
  | { readonly type: "integer"; readonly min: number; readonly max: number; readonly default?: number }
  | { readonly type: "choice"; readonly choices: readonly string[] }
  | { readonly type: "url" }
);

export type Options = Readonly<Record<string, Flag | Parameter>>;
export type Arguments = Readonly<Record<string, Parameter>>;

type ParsedValue<P> = P extends { type: "boolean" }
  ? boolean
  : P extends { type: "integer" }
    ? number
    : P extends { type: "url" }
      ? URL
      : P extends { choices: readonly (infer Choice)[] }
        ? Choice
        : string;
type IsAlwaysSet = { type: "boolean" } | { isRequired: true } | { default: unknown };

export type Values<P extends Options> = {
  readonly [N in keyof P]: ParsedValue<P[N]> | (P[N] extends IsAlwaysSet ? never : undefined);
};

const help: Flag = { type: "boolean", short: "h", description: "show this help" };

export function withHelp(options: Options): Options {
  return { ...options, help };
}

/** `http://` may be omitted from URLs. @returns undefined if `--help` was given. @throws {UsageError} */
export function parseArguments<O extends Options, A extends Arguments>(
  options: O,
  args: A,
  words: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): (Values<O> & Values<A>) | undefined {
  const given = readWords(withHelp(options), Object.keys(args), words);
  if (given.has("help")) return undefined;
  const values: Record<string, unknown> = {};
  for (const [name, parameter] of Object.entries<Flag | Parameter>({ ...options, ...args })) {
    const label = Object.hasOwn(options, name) ? `--${name}` : `<${name}>`;
    values[name] =
      parameter.type === "boolean"
        ? given.has(name)
        : readValue(label, parameter, given.get(name) ?? valueOfVariable(parameter, environment));
  }
  return values as Values<O> & Values<A>;
}

function readWords(options: Options, argumentNames: string[], words: readonly string[]): Map<string, string> {
  const types = Object.fromEntries(
    Object.entries(options).map(([name, option]) => [
      name,
      option.type === "boolean" ? option : { type: "string" as const },
    ]),
  );
  // Not strict: the parser's own messages are not written for users of these commands.
  const { tokens } = parseArgs({ args: [...words], options: types, strict: false, tokens: true });
  const given = new Map<string, string>();
  const free = [...argumentNames];
  for (const token of tokens) {
    if (token.kind === "positional") {
      const name = free.shift();
      if (name === undefined) throw new UsageError(`Unexpected argument "${token.value}".`);
      given.set(name, token.value);
    } else if (token.kind === "option") {
      given.set(token.name, readOption(options, token));
    }
  }
  return given;
}

type OptionToken = Extract<
  NonNullable<ReturnType<typeof parseArgs>["tokens"]>[number],
  { readonly kind: "option" }
>;

function readOption(options: Options, { name, rawName, value, inlineValue }: OptionToken): string {
  const option = Object.hasOwn(options, name) ? options[name] : undefined;
  if (option === undefined) throw new UsageError(`Unknown option ${rawName}.`);
  if (option.type === "boolean") {
    if (value !== undefined) throw new UsageError(`${rawName} takes no value.`);
    return "";
  }
  const isOption = !inlineValue && value?.startsWith("-") && !/^-\d/.test(value);
  if (value === undefined || isOption) throw new UsageError(`${rawName} needs a value.`);
  return value;
}

function valueOfVariable(
  parameter: Parameter,
  environment: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const variable = parameter.type === "string" ? parameter.variable : undefined;
  return variable && (environment[variable] || undefined);
}

function readValue(label: string, parameter: Parameter, text: string | undefined): unknown {
  if (text !== undefined) return convert(label, parameter, text);
  if (parameter.isRequired) throw new UsageError(`Missing ${labelWithValue(label, parameter)}.`);
  return parameter.type === "integer" ? parameter.default : undefined;
}

function convert(label: string, parameter: Parameter, text: string): string | number | URL {
  const refuse = (expected: string) => new UsageError(`${label} must be ${expected}, not "${text}".`);
  switch (parameter.type) {
    case "string":
      return text;
    case "integer": {
      const { min, max } = parameter;
      const value = Number(text);
      if (/^\d+$/.test(text) && value >= min && value <= max) return value;
      throw refuse(`a whole number from ${min} to ${max}`);
    }
    case "choice":
      if (parameter.choices.includes(text)) return text;
      throw refuse(parameter.choices.join(", ").replace(/, ([^,]*)$/, " or $1"));
    case "url": {
      const url = URL.parse(/^[a-z]+:\/\//i.test(text) ? text : `http://${text}`);
      if (url?.protocol === "http:" || url?.protocol === "https:") return url;
      throw refuse("an http or https URL");
    }
  }
}

/** How a parameter is written in the help: `--role <user|admin>`, `--yes`, `<url>`. */
export function labelWithValue(label: string, parameter: Flag | Parameter): string {
  if (parameter.type === "boolean") return label;
  const choices = parameter.type === "choice" ? `<${parameter.choices.join("|")}>` : undefined;
  if (label.startsWith("<")) return choices ?? label;
  return `${label} ${choices ?? `<${parameter.placeholder ?? "value"}>`}`;
}
