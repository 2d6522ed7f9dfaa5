import { createHash } from "node:crypto";
import type { Template } from "aws-cdk-lib/assertions";
import { type Resource, resourcesOf } from "./templates.ts";

/*
 * A template as a text that a person can read in a review. It has every logical id and every value, except the dashboard's,
 * so that no change is missed. It is short because references, statements and pairs have short forms, and because a fact
 * that several resources of a type share is there once, with their ids.
 */

/** A resource, or what a template has besides resources. */
interface Part {
  readonly id: string;
  readonly type: string;
  /** A text for each value. The order has no meaning. */
  readonly facts: readonly string[];
}

const LINE_LENGTH = 240;
const FACT_LENGTH = 160;
/** Of an element of a list, which reads better as a whole. */
const ELEMENT_LENGTH = 300;
/** A fact of fewer resources of a type stands with each of them. */
const MIN_OWNERS = 4;
const INDENT = "    ";
const REMOVED = "- ";
const ADDED = "+ ";

/** The resources of a template by type, with all their values. */
export function summaryOf(template: Template): string {
  return render(routesByTarget(partsOf(template)));
}

/** The routes to each integration as one part, with the methods of each path and the logical ids of their routes. */
function routesByTarget(parts: readonly Part[]): Part[] {
  const { routes = [], others = [] } = Object.groupBy(parts, ({ type }) =>
    type === "AWS::ApiGatewayV2::Route" ? "routes" : "others",
  );
  const keyOf = ({ facts }: Part) => facts.find((fact) => fact.startsWith("RouteKey: "))?.split(" ") ?? [];
  const targets = Map.groupBy(routes, (route) =>
    route.facts.filter((fact) => !fact.startsWith("RouteKey: ")).join("\n"),
  );
  const merged = [...targets].map(([shared, all]) => {
    const [id = "", ...facts] = shared.split("\n").reverse();
    const paths = Map.groupBy(all, (route) => keyOf(route)[2] ?? "");
    const methods = [...paths].map(
      ([path, each]) => `${path}: ${each.map((route) => `${keyOf(route)[1]} ${route.id}`).join(", ")}`,
    );
    return { id, type: "AWS::ApiGatewayV2::Route by target", facts: [...facts, ...methods] };
  });
  return [...others, ...merged];
}

/** A logical id without the hash of its path. */
function stemOf(id: string): string {
  return id.replace(/[0-9A-F]{8}(<hash>)?$/, "");
}

/**
 * What a resource has, with `<name>Logs` for the id of `AccountsLogs`, and `<name>` for the text `accounts`, if it belongs
 * to the function or table `Accounts` too, so that the resources of all functions say the same. Another resource whose
 * stem is the same keeps its whole id.
 */
function withShortNames({ id, type, facts }: Part, stems: readonly string[]): Part {
  const names = stems.flatMap((stem) => /^(\w+)(?:Function|Table)$/.exec(stem)?.[1] ?? []);
  const name = names.find((each) => belongsTo(each, id));
  if (name === undefined) return { id, type, facts };
  const shorten = (whole: string) => {
    const stem = stemOf(whole);
    return stems.filter((each) => each === stem).length === 1 ? stem.replace(name, "<name>") : whole;
  };
  const ids = new RegExp(`\\b${name}[A-Z]\\w*?[0-9A-F]{8}\\b`, "g");
  const text = new RegExp(`\\b${name.replaceAll(/\B[A-Z]/g, "-$&").toLowerCase()}\\b`, "g");
  return { id, type, facts: facts.map((fact) => fact.replaceAll(ids, shorten).replaceAll(text, "<name>")) };
}

/** Whether a resource is of a function or table: also an alarm of it, and what the gateway needs to invoke it. */
function belongsTo(name: string, id: string): boolean {
  const integration = `${name.toLowerCase()}Integration`;
  return new RegExp(
    `^(Throttled)?${name}[A-Z]|${integration}|Api[A-Z].*api[a-z]+${name}(Alias|Function)`,
  ).test(id);
}

/** The resources that only one of two templates has, and the facts that differ in resources of both. */
export function differenceOf(before: Template, after: Template): string {
  const old = new Map(partsOf(before).map((part) => [part.id, part]));
  const current = new Map(partsOf(after).map((part) => [part.id, part]));
  const removed = [...old.values()]
    .filter(({ id }) => !current.has(id))
    .map(({ id, type }) => ({ id: REMOVED + id, type, facts: [] }));
  const others = [...current.values()].map(({ id, type, facts }) => {
    const earlier = old.get(id)?.facts;
    return earlier ? { id, type, facts: changes(earlier, facts) } : { id: ADDED + id, type, facts };
  });
  return render([...removed, ...others.filter(({ id, facts }) => facts.length > 0 || id.startsWith(ADDED))]);
}

function changes(before: readonly string[], after: readonly string[]): string[] {
  return [
    ...before.filter((fact) => !after.includes(fact)).map((fact) => REMOVED + fact),
    ...after.filter((fact) => !before.includes(fact)).map((fact) => ADDED + fact),
  ];
}

function partsOf(template: Template): Part[] {
  const { Resources, ...others } = template.toJSON();
  const resources = resourcesOf(template).map(([id, resource]) => ({
    id: withoutHashes(id),
    type: resource.Type,
    facts: factsOf(resource),
  }));
  const stems = resources.map(({ id }) => stemOf(id));
  return [
    ...resources.map((part) => withShortNames(part, stems)),
    ...Object.entries(others).map(([id, value]) => ({
      id,
      type: "Not resources",
      facts: flatten("", value),
    })),
  ];
}

/** What a resource has, except `DependsOn`: CDK derives it from references. */
export function factsOf({ Type, DependsOn, Properties, ...attributes }: Resource): string[] {
  return [...flatten("", attributes), ...flatten("", Properties)];
}

/** Removes the hashes of assets and versions, which change with every line of code. */
function withoutHashes(text: string): string {
  return text
    .replaceAll(/[0-9a-f]{64}/g, "<hash>")
    .replaceAll(/(CurrentVersion[0-9A-F]{8})[0-9a-f]{32}/g, "$1<hash>");
}

function render(parts: readonly Part[]): string {
  const types = [...new Set(parts.map(({ type }) => type))].sort();
  return types
    .map((type) =>
      section(
        type,
        parts.filter((part) => part.type === type),
      ),
    )
    .join("\n");
}

/** The parts of a type by id, after what several of them have, with the ids of those that have it. */
function section(type: string, parts: readonly Part[]): string {
  const compared = parts.filter(({ id }) => !id.startsWith(REMOVED));
  const owners = new Map<string, string[]>();
  for (const { id, facts } of compared)
    for (const fact of new Set(facts)) owners.set(fact, [...(owners.get(fact) ?? []), id]);
  const isShared = (fact: string) => {
    const count = owners.get(fact)?.length ?? 0;
    return count >= MIN_OWNERS || (count > 1 && count === compared.length);
  };
  const byOwners = Map.groupBy([...owners.keys()].filter(isShared), (fact) =>
    titleOf(owners.get(fact) ?? [], compared),
  );
  const each = [...byOwners].sort().map(([title, facts]) => block(title, facts));
  const own = parts.map(({ id, facts }) => [id, facts.filter((fact) => !isShared(fact))] as const);
  const blocks = own.flatMap(([id, facts]) => (facts.length > 0 ? block(id, facts) : []));
  // The others have nothing of their own.
  const bare = Map.groupBy(
    own.flatMap(([id, facts]) => (facts.length === 0 ? id : [])).sort(),
    (id) => /^[-+] /.exec(id)?.[0] ?? "",
  );
  const lists = [...bare].map(
    ([sign, ids]) => `  ${sign}${ids.map((id) => id.slice(sign.length)).join(", ")}`,
  );
  return [`${type} (${parts.length})`, ...each, ...blocks.sort(), ...lists].join("\n");
}

/** Which of the parts have something: their ids, or those of the others if these are fewer. */
function titleOf(owners: readonly string[], parts: readonly Part[]): string {
  const others = parts.flatMap(({ id }) => (owners.includes(id) ? [] : [id]));
  if (others.length === 0) return "each";
  return others.length < owners.length ? `each except ${others.join(", ")}` : `each of ${owners.join(", ")}`;
}

/** An id and its facts, in one line where they fit, otherwise with short ones beside each other. */
function block(id: string, facts: readonly string[]): string {
  const line = `  ${[id, facts.join("; ")].filter((text) => text !== "").join(": ")}`;
  if (line.length <= LINE_LENGTH) return line;
  const lines: string[] = [];
  for (const fact of facts) {
    const joined = `${lines.at(-1) ?? INDENT}; ${fact}`;
    if (lines.length > 0 && joined.length <= LINE_LENGTH) lines[lines.length - 1] = joined;
    else lines.push(`${INDENT}${fact}`);
  }
  return [`  ${id}`, ...lines].join("\n");
}

/** One fact for a value that is short, a statement or a list of texts, otherwise facts for each of its members. */
function flatten(path: string, value: unknown, maxLength = FACT_LENGTH): string[] {
  const resolved = resolve(value);
  const text = inline(resolved);
  const isList = Array.isArray(resolved) && !resolved.some((each) => isObject(resolve(each)));
  const isWhole =
    !isObject(resolved) || isList || statement(resolved) !== undefined || text.length <= maxLength;
  if (isWhole && path !== "") return [`${path}: ${text}`];
  if (!isObject(resolved)) return [text];
  if (!Array.isArray(resolved))
    return withSharedValues(resolved).flatMap(([name, each]) =>
      flatten(path ? `${path}.${name}` : name, each),
    );
  return resolved.flatMap((each, index) => {
    const [fact = "", ...others] = flatten(path, each, ELEMENT_LENGTH);
    return others.length === 0 ? [fact] : flatten(`${path}[${index}]`, each);
  });
}

/** The members of an object, those with the same object as value as one, with their names. */
function withSharedValues(value: Readonly<Record<string, unknown>>): [names: string, unknown][] {
  const shared = Map.groupBy(entries(value), ([name, each]) =>
    isObject(resolve(each)) ? inline(each) : name,
  );
  return [...shared.values()].map((members) => [members.map(([name]) => name).join(", "), members[0]?.[1]]);
}

/** By name, because their order has no meaning. */
function entries(value: Readonly<Record<string, unknown>>): [name: string, unknown][] {
  return Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
}

function inline(value: unknown): string {
  const resolved = resolve(value);
  if (Array.isArray(resolved)) return `[${resolved.map(inline).join(", ")}]`;
  if (isObject(resolved)) return statement(resolved) ?? pair(resolved) ?? object(resolved);
  const isAmbiguous = resolved === "" || /^(-?\d+(\.\d+)?|true|false|null)$/.test(String(resolved));
  return typeof resolved === "string" && !isAmbiguous ? withoutHashes(resolved) : JSON.stringify(resolved);
}

function object(value: Readonly<Record<string, unknown>>): string {
  return `{${entries(value)
    .map(([name, each]) => `${name}: ${inline(each)}`)
    .join(", ")}}`;
}

/** Members that are said by their values. */
const pairs: Readonly<Record<string, string>> = {
  "AttributeName AttributeType": " ",
  "AttributeName KeyType": " ",
  "Key Value": "=",
  "Name Value": "=",
};

function pair(value: Readonly<Record<string, unknown>>): string | undefined {
  const separator = pairs[Object.keys(value).sort().join(" ")];
  return (
    separator &&
    entries(value)
      .map(([, each]) => inline(each))
      .join(separator)
  );
}

/** A statement of a policy, such as `Allow s3:GetObject on ${Bucket.Arn}`, with its conditions. */
function statement(value: Readonly<Record<string, unknown>>): string | undefined {
  const { Effect, Action, Resource, Principal, Condition, ...others } = value;
  if (Effect === undefined || Action === undefined) return undefined;
  const list = (each: unknown) => [each].flat().map(inline).join(", ");
  return [
    `${Effect} ${list(Action)}`,
    ...(Resource ? [` on ${list(Resource)}`] : []),
    ...(Principal ? [` to ${inline(Principal)}`] : []),
    ...(Object.keys(others).length > 0 ? [` ${object(others)}`] : []),
    ...(Condition ? [` if ${inline(Condition)}`] : []),
  ].join("");
}

/** The text of a reference, as in `Fn::Sub`, and the value of a text that is JSON. */
function resolve(value: unknown): unknown {
  const text = textOf(value);
  // Code in the template.
  if (text?.includes("\n")) return createHash("sha256").update(text).digest("base64url");
  return text?.startsWith('{"') ? withoutLayout(parse(text)) : (text ?? value);
}

/** How many metrics of which names a dashboard's graphs have: its own test reads the rest. */
function withoutLayout(value: unknown): unknown {
  const { widgets } = value as { readonly widgets?: readonly Widget[] };
  return (
    widgets?.map(({ properties: { title = "text", metrics = [] } }) => {
      const names = metrics.map(([first, name]) =>
        typeof first === "string" ? `${first} ${name}` : inline(first),
      );
      return {
        [title]: [...new Set(names)].map(
          (each) => `${names.filter((name) => name === each).length} × ${each}`,
        ),
      };
    }) ?? value
  );
}

interface Widget {
  readonly properties: { readonly title: string; readonly metrics: readonly (readonly unknown[])[] };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return text;
    throw error;
  }
}

function textOf(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  if (!isObject(value) || Object.keys(value).length !== 1) return undefined;
  const { Ref, "Fn::GetAtt": attribute, "Fn::Join": join } = value as Intrinsic;
  if (Ref) return `\${${Ref}}`;
  if (attribute) return `\${${attribute.join(".")}}`;
  return join?.[1].map((each) => textOf(each) ?? JSON.stringify(each)).join(join[0]);
}

/** A function of CloudFormation. */
interface Intrinsic {
  readonly Ref?: string;
  readonly "Fn::GetAtt"?: readonly string[];
  readonly "Fn::Join"?: readonly [string, readonly unknown[]];
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
