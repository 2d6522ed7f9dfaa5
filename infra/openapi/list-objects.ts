import { isDeepStrictEqual } from "node:util";
import { LISTS_AS_OBJECTS } from "../../lib/http/list-objects.ts";
import { JSON_MEDIA_TYPE } from "../../lib/http/route.ts";
import { reference, referencedName } from "./json-schema.ts";
import type { JsonSchema, MediaType, OpenApiDocument, Operation, Parameter, Response } from "./model.ts";

const number = (description: string): JsonSchema => ({ type: "integer", format: "int64", description });

const nextPart: JsonSchema = {
  type: "object",
  description: "The parameters of the next part: repeat the others. Absent at the end of the list",
  properties: {
    cursor: { type: "string", description: "Where it begins" },
    page: number("Its number"),
    limit: number("Its size"),
    size: number("Its size"),
  },
};

const parameter: Parameter = {
  name: LISTS_AS_OBJECTS.name,
  in: "query",
  required: true,
  description: "Makes the list an object with `next`",
  schema: reference("ListsAsObjects"),
};

/**
 * The same service for programs that read bodies only, or no `oneOf`: each list is one object with the
 * parameters of its next part. Deprecated parameters are left out.
 */
export function withListsAsObjects(document: OpenApiDocument): OpenApiDocument {
  const schemas: Record<string, JsonSchema> = {
    ...document.components.schemas,
    ListsAsObjects: { type: "string", enum: [LISTS_AS_OBJECTS.value] },
    NextPart: nextPart,
  };
  const paths = mapValues(document.paths, (item) =>
    mapValues(item, (operation) => {
      const current = withoutDeprecated(operation);
      const { operationId, parameters = [], responses } = current;
      const success = responses[200] as Response | undefined;
      const media = success?.content?.[JSON_MEDIA_TYPE];
      if (!media || !parameters.some(({ name }) => name === "cursor" || name === "page")) return current;
      const name = `${operationId.replace(/^./, (first) => first.toUpperCase())}Result`;
      schemas[name] = listObject(media, document.components.schemas);
      const content = { [JSON_MEDIA_TYPE]: { schema: reference(name) } };
      return {
        ...current,
        parameters: [parameter, ...parameters.map(ofNext)],
        responses: { ...responses, 200: { ...success, content } as Response },
      };
    }),
  );
  return { ...document, paths, components: { ...document.components, schemas } };
}

function ofNext(parameter: Parameter): Parameter {
  return { ...parameter, description: parameter.description.replace("`Link` header", "`next`") };
}

function withoutDeprecated(operation: Operation): Operation {
  const { parameters = [], requestBody } = operation;
  const current = parameters.filter(({ deprecated }) => !deprecated);
  if (current.length === parameters.length) return operation;
  return {
    ...operation,
    parameters: current,
    ...(requestBody && { requestBody: { ...requestBody, required: true } }),
  };
}

/** The fields of all forms that a list can have. Those that only some have are optional. */
function listObject({ schema }: MediaType, schemas: Readonly<Record<string, JsonSchema>>): JsonSchema {
  const resolve = (each: JsonSchema): JsonSchema => {
    const { $ref } = each;
    return $ref === undefined ? each : (schemas[referencedName($ref)] ?? each);
  };
  const forms = (resolve(schema).oneOf ?? [schema]).map(resolve).map((form) =>
    form.type === "array"
      ? {
          properties: { items: { ...form, description: "The records" } as JsonSchema },
          required: ["items"],
        }
      : { properties: form.properties ?? {}, required: form.required ?? [] },
  );
  const properties: Record<string, JsonSchema> = {};
  for (const [name, field] of forms.flatMap((form) => Object.entries(form.properties))) {
    const { const: value, description, ...known } = properties[name] ?? field;
    const isSame = isDeepStrictEqual(properties[name] ?? field, field);
    properties[name] = isSame ? field : { ...known, ...(description && { description }) };
  }
  const required = Object.keys(properties).filter((name) =>
    forms.every((form) => form.required.includes(name)),
  );
  return {
    type: "object",
    properties: { ...properties, next: reference("NextPart") },
    ...(required.length > 0 && { required }),
  };
}

function mapValues<T>(record: Readonly<Record<string, T>>, change: (value: T) => T): Record<string, T> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
}
