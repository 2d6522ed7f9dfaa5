import { StartError } from "../start-error.ts";

/** A CloudFormation template, as far as the local run reads it. */
export interface Template {
  readonly Parameters?: Readonly<Record<string, { readonly Default?: unknown }>>;
  readonly Resources: Readonly<Record<string, Resource>>;
}

export interface Resource {
  readonly Type: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
}

/** What `Ref` and `Fn::GetAtt` stand for: the local names of the template's resources. */
export interface Names {
  /** @returns the value of `Ref`, or undefined for a name that the template does not have */
  ref(logicalId: string): string | undefined;
  /** @returns the value of `Fn::GetAtt`, or undefined for an attribute that has no local value */
  attribute(logicalId: string, attribute: string): string | undefined;
}

/** `AWS::NoValue`: the property or list entry is left out. */
const noValue = Symbol("AWS::NoValue");

/**
 * Replaces the intrinsic functions in a part of a template by local values: `Ref`, `Fn::GetAtt`, `Fn::Join`,
 * `Fn::Sub`, `Fn::Select` and `Fn::Split`.
 *
 * @param value any part of a template
 * @param names what the template's references stand for
 * @param owner the logical id of the resource that the part belongs to, for the error message
 * @returns the same structure with plain values
 * @throws {StartError} naming the owner, for any other intrinsic and for a reference without a local value
 */
export function resolveIntrinsics(value: unknown, names: Names, owner: string): unknown {
  const resolved = resolve(value, names, owner);
  return resolved === noValue ? undefined : resolved;
}

function resolve(value: unknown, names: Names, owner: string): unknown {
  if (Array.isArray(value)) {
    return value.map((entry) => resolve(entry, names, owner)).filter((entry) => entry !== noValue);
  }
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value);
  const [only] = entries;
  if (entries.length === 1 && only !== undefined && isIntrinsic(only[0])) {
    return resolveIntrinsic(only[0], only[1], names, owner);
  }
  return Object.fromEntries(
    entries
      .map(([key, entry]) => [key, resolve(entry, names, owner)] as const)
      .filter(([, entry]) => entry !== noValue),
  );
}

function isIntrinsic(key: string): boolean {
  return key === "Ref" || key === "Condition" || key.startsWith("Fn::");
}

function resolveIntrinsic(name: string, argument: unknown, names: Names, owner: string): unknown {
  const parts = () => resolve(argument, names, owner);
  switch (name) {
    case "Ref":
      if (argument === "AWS::NoValue") return noValue;
      return known(names.ref(String(argument)), `Ref ${argument}`, owner);
    case "Fn::GetAtt":
      return attribute(argument, names, owner);
    case "Fn::Sub":
      return substitute(argument, names, owner);
    case "Fn::Join": {
      const [separator, values] = list(parts(), name, owner);
      return list(values, name, owner).join(String(separator));
    }
    case "Fn::Split": {
      const [separator, text] = list(parts(), name, owner);
      return String(text).split(String(separator));
    }
    case "Fn::Select": {
      const [index, values] = list(parts(), name, owner);
      return known(list(values, name, owner)[Number(index)], `${name} ${index}`, owner);
    }
    default:
      throw new StartError(`${owner}: the local run can't resolve ${name} in the template.`);
  }
}

function attribute(argument: unknown, names: Names, owner: string): string {
  const [logicalId = "", ...path] = Array.isArray(argument) ? argument : String(argument).split(".");
  const name = path.join(".");
  return known(names.attribute(String(logicalId), name), `Fn::GetAtt ${logicalId}.${name}`, owner);
}

function substitute(argument: unknown, names: Names, owner: string): string {
  const [text, values] = Array.isArray(argument) ? argument : [argument, {}];
  const variables = resolve(values, names, owner) as Record<string, unknown>;
  return String(text).replace(/\$\{([^}]+)\}/g, (_, name: string) => {
    if (name.startsWith("!")) return `\${${name.slice(1)}}`;
    if (Object.hasOwn(variables, name)) return String(variables[name]);
    return name.includes(".")
      ? attribute(name, names, owner)
      : known(names.ref(name), `Fn::Sub \${${name}}`, owner);
  });
}

function known<T>(value: T | undefined, what: string, owner: string): T {
  if (value === undefined) throw new StartError(`${owner}: the local run has no value for ${what}.`);
  return value;
}

function list(value: unknown, name: string, owner: string): readonly unknown[] {
  if (!Array.isArray(value)) throw new StartError(`${owner}: ${name} needs a list.`);
  return value;
}
