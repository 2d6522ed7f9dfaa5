import { readFileSync } from "node:fs";
import type { APIGatewayProxyEventV2 } from "aws-lambda";
import { functionOf, gatewayFunctions, routesByArea } from "../../functions/definitions.ts";
import { prepare } from "../../functions/example-requests.ts";
import type { JsonSchema, Parameter } from "../../infra/openapi/model.ts";
import { credentials } from "../support/data/credentials.ts";
import { type Random, random } from "../support/random.ts";
import { hostileJson, hostileTexts, hostileValues, type Texts } from "./hostile.ts";

/** An event for a function. */
export interface FuzzEvent {
  /** The folder of the function. */
  readonly folder: string;
  readonly event: APIGatewayProxyEventV2;
}

const { paths, components } = JSON.parse(readFileSync("docs/openapi.json", "utf8"));
const schemas: Readonly<Record<string, JsonSchema>> = components.schemas;
const folders = gatewayFunctions as unknown as [string, ...string[]];
const all = Object.entries(routesByArea).flatMap(([area, routes]) =>
  routes.map(({ key, method, pattern, secretFields, secretQuery }) => {
    const { parameters: declared = [], requestBody } = paths[pattern][method.toLowerCase()];
    const parameters: readonly Parameter[] = declared;
    const body: JsonSchema | undefined = requestBody?.content["application/json"]?.schema;
    // It hashes passwords; a run would consist of little else.
    const hashes = secretFields !== undefined || secretQuery === true;
    return { key, folder: functionOf(area), method, pattern, parameters, body, hashes };
  }),
);
type Operation = (typeof all)[number];
const operations = all as [Operation, ...Operation[]];

/** The parts of a request that an example gives. */
type Parts = Pick<APIGatewayProxyEventV2, "rawPath" | "rawQueryString" | "isBase64Encoded"> & {
  body?: string | undefined;
};

/**
 * Makes the event with a number: the example request of a route with one part changed, or a request that fits its
 * declaration, or is hostile in some of its parts.
 *
 * @param authorizations values of `Authorization`
 */
export function fuzzEvent(seed: number, number: number, authorizations: Texts): FuzzEvent {
  const choices = random(seed, number);
  const picked = choices.pick(operations);
  const operation = picked.hashes && choices.next() < 0.9 ? choices.pick(operations) : picked;
  const headers = headersOf(operation, choices, authorizations);
  const { rawPath: path, rawQueryString, ...rest } = partsOf(operation, choices);
  const method =
    choices.next() < 0.03 ? choices.pick(["HEAD", "OPTIONS", "get", "TRACE", ""]) : operation.method;
  const sourceIp = choices.pick(["192.0.2.1", "2001:db8::1", "::ffff:192.0.2.1", ""]);
  const event = {
    version: "2.0",
    routeKey: choices.pick(["$default", `${operation.method} ${operation.pattern}`, ""]),
    rawPath: path,
    rawQueryString,
    headers,
    ...(choices.next() < 0.5 && { queryStringParameters: { a: "b" } }),
    ...(choices.next() < 0.1 && { cookies: ["a=b", choices.pick(hostileTexts)] }),
    requestContext: {
      domainName: "api.example.com",
      http: { method, path, protocol: "HTTP/1.1", sourceIp, userAgent: "fuzz" },
      requestId: `fuzz-${number}`,
      stage: "$default",
      timeEpoch: Date.now(),
    },
    ...rest,
  } as unknown as APIGatewayProxyEventV2;
  // An event can be sent to any function by a wrong route key.
  return { folder: choices.next() < 0.05 ? choices.pick(folders) : operation.folder, event };
}

/** Parts of which some are hostile; in a third of the events those of the example, one of them replaced or changed. */
function partsOf(operation: Operation, choices: Random): Parts {
  const made = {
    rawPath: pathOf(operation, choices),
    rawQueryString: queryOf(operation, choices),
    ...bodyOf(operation, choices),
  };
  if (choices.next() > 0.33) return made;
  const id = 1 + choices.below(20);
  const { target, body } = prepare(operation.key, { id: () => id, unique: `_${choices.below(30)}` });
  const [rawPath = "", rawQueryString = ""] = target.split("?");
  const changed = choices.pick(["path", "query", "body", "field"]);
  const example = changed === "field" ? withChangedField(body, choices) : body;
  return {
    rawPath: changed === "path" ? made.rawPath : rawPath,
    rawQueryString: changed === "query" ? made.rawQueryString : rawQueryString,
    ...(changed === "body"
      ? { body: made.body, isBase64Encoded: made.isBase64Encoded }
      : { body: JSON.stringify(example), isBase64Encoded: false }),
  };
}

/** Replaces a member of an object, at any depth, by a hostile value. */
function withChangedField(value: unknown, choices: Random): unknown {
  if (typeof value !== "object" || value === null || choices.next() < 0.2)
    return choices.pick(choices.next() < 0.5 ? hostileTexts : hostileValues);
  const names = Object.keys(value);
  const name = names[choices.below(names.length)] ?? "";
  const changed = { [name]: withChangedField((value as Record<string, unknown>)[name], choices) };
  return Array.isArray(value) ? Object.assign([...value], changed) : { ...value, ...changed };
}

function pathOf({ pattern, parameters }: Operation, choices: Random): string {
  const path = pattern.replace(/\{(\w+)\}/g, (_, placeholder: string) => {
    if (choices.next() < 0.2) return choices.pick(hostileTexts);
    const schema = parameters.find(({ name }) => name === placeholder)?.schema;
    return schema?.enum ? String(sampleOf(schema, choices)) : String(1 + choices.below(20));
  });
  const kind = choices.next();
  if (kind < 0.9) return path;
  if (kind < 0.93) return path.endsWith("/") ? path.slice(0, -1) : `${path}/`;
  if (kind < 0.96) return `${path}/${choices.pick(hostileTexts)}`;
  const hostile = `/${choices.pick(hostileTexts)}`;
  return choices.pick(["", "/", "//", "/./", hostile, path.toUpperCase(), `/${path}`]);
}

function queryOf({ parameters }: Operation, choices: Random): string {
  const kind = choices.next();
  if (kind < 0.03)
    return choices.pick(["&", "&&==", "=", "%", "a=%zz", "%00=%00", "a[]=1&a[b]=2", "__proto__=1", "?"]);
  if (kind < 0.04) return Array.from({ length: 400 }, (_, i) => `p${i % 7}=${i}`).join("&");
  return parameters
    .filter((parameter) => parameter.in === "query" && choices.next() < (parameter.required ? 0.95 : 0.35))
    .flatMap(({ name, schema }) => {
      const text = () =>
        name === "cursor" && choices.next() < 0.7 ? cursorText(choices) : asText(sampleOf(schema, choices));
      const values = choices.next() < 0.05 ? [text(), text(), choices.pick(hostileTexts)] : [text()];
      return values.map((value) => `${name}=${choices.next() < 0.95 ? encode(value) : value}`);
    })
    .join("&")
    .slice(0, 9_000);
}

/** A cursor of some list, at a position that need not exist. */
function cursorText(choices: Random): string {
  const kind = choices.pick(["after", "after", "count", "username"]);
  const position = choices.pick([0, 1, 2, 10, 1_000, Number.MAX_SAFE_INTEGER - 1, "admin"]);
  return Buffer.from(`${kind} ${position}`).toString("base64url");
}

function headersOf(
  { parameters }: Operation,
  choices: Random,
  authorizations: Texts,
): Record<string, string> {
  const text = (plausible: string) => (choices.next() < 0.8 ? plausible : choices.pick(hostileTexts));
  const maybe = (name: string, share: number, value: () => string) =>
    choices.next() < share ? { [name]: value().slice(0, 9_000) } : {};
  const codings = ["br", "gzip;q=0", "gzip, br;q=2", "*;q=0.5", ",,,"] as const;
  const types = ["application/json", "application/x-www-form-urlencoded", ";"] as const;
  const declared = parameters
    .filter((parameter) => parameter.in === "header")
    .map(({ name, schema }) => maybe(name.toLowerCase(), 0.4, () => asText(sampleOf(schema, choices))));
  return Object.assign(
    { host: "api.example.com", "x-forwarded-proto": "https" },
    ...declared,
    maybe("host", 0.03, () => choices.pick(hostileTexts)),
    maybe("authorization", 0.5, () => choices.pick(authorizations)),
    maybe("x-api-key", 0.3, () => text(credentials.apiKey)),
    maybe("idempotency-key", 0.15, () => text(`key-${choices.below(50)}`)),
    maybe("if-match", 0.08, () => text("*")),
    maybe("if-none-match", 0.08, () => text("*")),
    maybe("accept-encoding", 0.4, () => text(choices.pick(codings))),
    maybe("content-type", 0.6, () => text(choices.pick(types))),
    maybe("origin", 0.1, () => text("https://www.example.com")),
  );
}

function bodyOf(
  { body }: Operation,
  choices: Random,
): Pick<APIGatewayProxyEventV2, "isBase64Encoded"> & { body?: string } {
  if (body === undefined && choices.next() < 0.9) return { isBase64Encoded: false };
  const kind = choices.next();
  const text =
    kind < 0.75
      ? withUnknownField(JSON.stringify(sampleOf(body ?? {}, choices)), choices)
      : kind < 0.8
        ? `username=${encode(choices.pick(hostileTexts))}&password=%zz`
        : choices.pick(hostileJson);
  if (choices.next() < 0.85) return { body: text ?? "", isBase64Encoded: false };
  const bytes =
    choices.next() < 0.7 ? Buffer.from(text ?? "") : Buffer.from([0xff, 0xfe, ...Buffer.from(text ?? "")]);
  return { body: choices.next() < 0.9 ? bytes.toString("base64") : "§ no base64 §", isBase64Encoded: true };
}

/** Adds a field with a value that is hard to process to some objects. */
function withUnknownField(json: string | undefined, choices: Random): string | undefined {
  if (!json?.endsWith("}") || choices.next() < 0.9) return json;
  return `${json.slice(0, -1)},"unknown":${choices.pick(hostileJson)}}`;
}

/** A value that fits a schema in most cases. */
function sampleOf(schema: JsonSchema, choices: Random, depth = 0): unknown {
  if (choices.next() < 0.06) return choices.pick(choices.next() < 0.5 ? hostileTexts : hostileValues);
  if (schema.$ref) return sampleOf(schemas[schema.$ref.replace(/^.*\//, "")] ?? {}, choices, depth);
  const variants = schema.anyOf ?? schema.oneOf ?? schema.allOf;
  if (variants) return sampleOf(choices.pick(variants as [JsonSchema, ...JsonSchema[]]), choices, depth);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return choices.pick(schema.enum as [unknown, ...unknown[]]);
  return sampleOfType(schema, choices, depth);
}

function sampleOfType(schema: JsonSchema, choices: Random, depth: number): unknown {
  const type = typeof schema.type === "string" ? schema.type : schema.type?.[0];
  switch (type) {
    case "integer":
      return (schema.minimum ?? 0) + choices.below(10);
    case "number":
      return (1 + choices.below(10_000)) / 100;
    case "boolean":
      return choices.next() < 0.5;
    case "array": {
      const length = (schema.minItems ?? 0) + choices.below(4);
      return Array.from({ length }, () => sampleOf(schema.items ?? {}, choices, depth + 1));
    }
    case "object": {
      const members = Object.entries(schema.properties ?? {}).filter(
        ([name]) => schema.required?.includes(name) || choices.next() < 0.6,
      );
      return Object.fromEntries(members.map(([name, each]) => [name, sampleOf(each, choices, depth + 1)]));
    }
    case "string":
      return textOf(schema, choices);
    default:
      return depth < 3 ? { name: "free", list: [1, { a: null }], text: choices.pick(hostileTexts) } : null;
  }
}

/** A text that most patterns accept. */
function textOf({ pattern = "", minLength = 0, examples = [] }: JsonSchema, choices: Random): string {
  if (pattern.includes("@")) return `user${choices.below(30)}@example.com`;
  if (pattern.includes("https?")) return "https://www.example.com/";
  const [example] = examples;
  if (typeof example === "string" && choices.next() < 0.5) return example;
  return `Text1${choices.below(30)}`.padEnd(minLength, "x");
}

function asText(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}

/** Percent-encodes a text; half a surrogate pair as it is. */
function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}
