import { CommandError } from "../../cli/errors.ts";

/** Local values of the references in one resource of a template. */
interface Scope {
  /** The resource's logical id, for error messages. */
  readonly owner: string;
  /** The value of `Ref` for a logical id, of `Fn::GetAtt` for a path such as `Role.Arn`; undefined if there is none. */
  lookUp(path: string): string | undefined;
}

/**
 * Replaces `Ref`, `Fn::GetAtt`, `Fn::Join` and `Fn::Sub` by local values.
 *
 * @param value any part of a template
 * @returns the same structure with plain values
 * @throws {CommandError} for any other intrinsic function, and for a reference without a local value, such as
 *   `AWS::NoValue` or a variable of `Fn::Sub`
 */
export function resolveIntrinsics(value: unknown, scope: Scope): unknown {
  if (Array.isArray(value)) return value.map((entry) => resolveIntrinsics(entry, scope));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value);
  const [only] = entries;
  if (entries.length === 1 && only !== undefined && isIntrinsic(only[0])) {
    return resolveIntrinsic(only[0], only[1], scope);
  }
  return Object.fromEntries(entries.map(([key, entry]) => [key, resolveIntrinsics(entry, scope)]));
}

function isIntrinsic(key: string): boolean {
  return key === "Ref" || key === "Condition" || key.startsWith("Fn::");
}

function resolveIntrinsic(name: string, argument: unknown, scope: Scope): unknown {
  switch (name) {
    case "Ref":
      return resolveReference(String(argument), scope);
    case "Fn::GetAtt":
      return resolveReference(Array.isArray(argument) ? argument.join(".") : String(argument), scope);
    case "Fn::Join": {
      const [separator, values] = resolveIntrinsics(argument, scope) as [string, unknown[]];
      return values.join(separator);
    }
    case "Fn::Sub":
      return String(argument).replace(/\$\{([^}]+)\}/g, (_, name) => resolveReference(name, scope));
    default:
      throw new CommandError(`${scope.owner}: the local run does not support ${name}.`);
  }
}

function resolveReference(path: string, { owner, lookUp }: Scope): string {
  const value = lookUp(path);
  if (value !== undefined) return value;
  const kind = path.includes(".") ? "Fn::GetAtt" : "Ref";
  throw new CommandError(`${owner}: the local run has no value for ${kind} ${path}.`);
}
