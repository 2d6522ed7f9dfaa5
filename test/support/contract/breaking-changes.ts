import { isDeepStrictEqual } from "node:util";
import { referencedName } from "../../../infra/openapi/json-schema.ts";
import type {
  Content,
  JsonSchema,
  Operation,
  Parameter,
  Reference,
  Response,
} from "../../../infra/openapi/model.ts";
import type { Contract } from "./contract.ts";

interface Versions<T> {
  readonly before: T;
  readonly after: T;
}

/** Who sends what a schema describes: a client may send less variety, and the service may respond with less. */
type Sender = "client" | "service";

/** Finds the changes that can break an earlier client. @returns a line for each, which begins with its place */
export function breakingChanges(before: Contract, after: Contract): string[] {
  const contracts: Versions<Contract> = { before, after };
  return Object.entries(before.paths)
    .flatMap(([path, item]) =>
      Object.entries(item).flatMap(([method, operation]) => {
        const place = `${method.toUpperCase()} ${path}`;
        const now = after.paths[path]?.[method];
        return now ? operationIn(place, { before: operation, after: now }) : [`${place}: is gone`];
      }),
    )
    .concat(credentialsIn());

  function credentialsIn(): string[] {
    return Object.entries(before.components.securitySchemes)
      .filter(([name, scheme]) => !isDeepStrictEqual(scheme, after.components.securitySchemes[name]))
      .map(([name]) => `${name}: is sent in another way`);
  }

  function operationIn(place: string, { before, after }: Versions<Operation>): string[] {
    return [
      ...when(before.operationId !== after.operationId, `${place}: has another operationId`),
      ...when(!isStillAllowed(before.security, after.security), `${place}: needs other credentials`),
      ...parametersIn(place, { before, after }),
      ...requestBodyIn(place, { before, after }),
      ...Object.entries(before.responses).flatMap(([status, response]) => {
        const now = after.responses[status];
        if (now === undefined) return [`${place} ${status}: is gone`];
        return responseIn(`${place} ${status}`, { before: response, after: now });
      }),
      ...added(before.responses, after.responses)
        .filter((status) => status < "4")
        .map((status) => `${place} ${status}: is a new success`),
    ];
  }

  function parametersIn(place: string, versions: Versions<Operation>): string[] {
    const [before, after] = [versions.before.parameters ?? [], versions.after.parameters ?? []];
    const find = (list: readonly Parameter[], { name, in: part }: Parameter) =>
      list.find((each) => each.name === name && each.in === part);
    return [
      ...before.flatMap((parameter) => {
        const at = `${place} ${parameter.in} ${parameter.name}`;
        const now = find(after, parameter);
        if (now === undefined) return [`${at}: is gone`];
        const versions = { before: parameter.schema, after: now.schema };
        return [
          ...when(now.required && !parameter.required, `${at}: is required`),
          ...schemaIn(at, versions, "client"),
        ];
      }),
      ...after
        .filter((parameter) => parameter.required && !find(before, parameter))
        .map(({ in: part, name }) => `${place} ${part} ${name}: is required`),
    ];
  }

  function requestBodyIn(place: string, { before, after }: Versions<Operation>): string[] {
    const [known, now] = [before.requestBody, after.requestBody];
    if (now === undefined) return when(known !== undefined, `${place} body: is gone`);
    return [
      ...when(now.required && !known?.required, `${place} body: is required`),
      ...contentIn(`${place} body`, { before: known?.content ?? {}, after: now.content }, "client"),
    ];
  }

  function responseIn(place: string, versions: Versions<Response | Reference>): string[] {
    const [before, after] = (["before", "after"] as const).map((version): Response => {
      const response = versions[version];
      if (!("$ref" in response)) return response;
      const shared = contracts[version].components.responses[referencedName(response.$ref)];
      if (shared === undefined) throw new Error(`${place}: there is no ${response.$ref}`);
      return shared;
    }) as [Response, Response];
    const { content = {} } = before;
    return [
      ...added(after.headers ?? {}, before.headers ?? {}).map((name) => `${place} header ${name}: is gone`),
      ...contentIn(place, { before: content, after: after.content ?? {} }, "service"),
    ];
  }

  function contentIn(place: string, { before, after }: Versions<Content>, sender: Sender): string[] {
    return Object.entries(before).flatMap(([type, { schema }]) => {
      const now = after[type]?.schema;
      return now ? schemaIn(place, { before: schema, after: now }, sender) : [`${place} ${type}: is gone`];
    });
  }

  function schemaIn(place: string, versions: Versions<JsonSchema>, sender: Sender): string[] {
    const before = resolveIn("before", versions.before);
    const after = resolveIn("after", versions.after);
    // What one sends, the other has to expect.
    const [sent, expected] = sender === "client" ? [before, after] : [after, before];
    const isOther = typesOf(sent).some((type) => !typesOf(expected).includes(type));
    return [
      ...when(isOther, `${place}: has another type`),
      ...valuesIn(place, { before, after }, sender),
      ...(sender === "client" ? narrowerBounds(place, { before, after }) : []),
      ...fieldsIn(place, { before, after }, sender),
      ...(["items", "additionalProperties"] as const).flatMap((key) => {
        const [known, now] = [before[key], after[key]];
        if (typeof known !== "object" || typeof now !== "object")
          return when(known !== undefined && now === undefined, `${place}.${key}: is gone`);
        return schemaIn(`${place}[]`, { before: known, after: now }, sender);
      }),
      ...alternativesIn(place, { before, after }, sender),
    ];
  }

  function resolveIn(version: keyof Versions<Contract>, schema: JsonSchema): JsonSchema {
    if (schema.$ref === undefined) return schema;
    const found = contracts[version].components.schemas[referencedName(schema.$ref)];
    if (found === undefined) throw new Error(`There is no ${schema.$ref}`);
    return found;
  }

  /** Values may be added, but not to a list that there was not (docs/versioning.md). */
  function valuesIn(place: string, { before, after }: Versions<JsonSchema>, sender: Sender): string[] {
    const [known, now] = [valuesOf(before), valuesOf(after)];
    const limited = sender === "client" ? { from: known, to: now } : { from: now, to: known };
    const missing = now === undefined ? [] : (known ?? []).filter((value) => !now.includes(value));
    return [
      ...when(limited.from === undefined && limited.to !== undefined, `${place}: has other values`),
      ...missing.map((value) => `${place}: has no ${JSON.stringify(value)}`),
    ];
  }

  function fieldsIn(place: string, { before, after }: Versions<JsonSchema>, sender: Sender): string[] {
    const { properties = {}, required = [] } = before;
    const isNewlyRequired = (name: string) => after.required?.includes(name) && !required.includes(name);
    return [
      ...Object.entries(properties).flatMap(([name, schema]) => {
        const now = after.properties?.[name];
        if (now === undefined) return [`${place}.${name}: is gone`];
        return schemaIn(`${place}.${name}`, { before: schema, after: now }, sender);
      }),
      ...(sender === "client"
        ? (after.required ?? []).filter(isNewlyRequired).map((name) => `${place}.${name}: is required`)
        : required
            .filter((name) => after.properties?.[name] && !after.required?.includes(name))
            .map((name) => `${place}.${name}: is optional`)),
    ];
  }

  function alternativesIn(place: string, versions: Versions<JsonSchema>, sender: Sender): string[] {
    const [before, after] = [alternativesOf(versions.before), alternativesOf(versions.after)];
    const [sent, expected] = sender === "client" ? [before, after] : [after, before];
    return [
      ...added(expected, sent).map((name) => `${place}: has another alternative, ${name}`),
      ...Object.entries(before).flatMap(([name, schema]) => {
        const now = after[name];
        return now ? schemaIn(place, { before: schema, after: now }, sender) : [];
      }),
    ];
  }
}

/** A client that was within the bounds has to be still. */
function narrowerBounds(place: string, { before, after }: Versions<JsonSchema>): string[] {
  const lower = ["minimum", "exclusiveMinimum", "minLength", "minItems"] as const;
  const upper = ["maximum", "maxLength", "maxItems"] as const;
  const form = ["pattern", "format"] as const;
  return [
    ...lower.filter((key) => (after[key] ?? -Infinity) > (before[key] ?? -Infinity)),
    ...upper.filter((key) => (after[key] ?? Infinity) < (before[key] ?? Infinity)),
    ...form.filter((key) => after[key] !== undefined && after[key] !== before[key]),
    ...when(!isDeepStrictEqual(before.default, after.default), "default"),
  ].map((key) => `${place}: has another ${key}`);
}

/** Whether each of the earlier ways to authenticate is still one; an empty list and an empty way need no credentials. */
function isStillAllowed(before: Operation["security"], after: Operation["security"]): boolean {
  const now = after.length === 0 ? [{}] : after;
  return (before.length === 0 ? [{}] : before).every((way) =>
    now.some((other) => isDeepStrictEqual(way, other)),
  );
}

function typesOf({ type = [] }: JsonSchema): readonly string[] {
  return [type].flat();
}

function valuesOf({ enum: values, const: value }: JsonSchema): readonly unknown[] | undefined {
  return value === undefined ? values : [value];
}

function alternativesOf({ anyOf, oneOf }: JsonSchema): Readonly<Record<string, JsonSchema>> {
  return Object.fromEntries((anyOf ?? oneOf ?? []).map((each) => [each.$ref ?? `${each.type}`, each]));
}

function added(before: object, after: object): string[] {
  return Object.keys(after).filter((key) => !Object.hasOwn(before, key));
}

function when(condition: boolean, change: string): string[] {
  return condition ? [change] : [];
}
