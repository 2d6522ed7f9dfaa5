import * as z from "zod";
import { openApiDocument } from "../../../infra/openapi/document.ts";
import { referencedName } from "../../../infra/openapi/json-schema.ts";
import type { JsonSchema, Operation, Response } from "../../../infra/openapi/model.ts";
import { routes } from "../own-access.ts";
import { generateTypes } from "./client-types.ts";

export const document = openApiDocument(routes);

/** The content of the files that are generated from the document, by path in the project. */
export function documentFiles() {
  return {
    "docs/openapi.json": `${JSON.stringify(document, null, 2)}\n`,
    "client/openapi.d.ts": generateTypes(document),
  };
}

export function operation(key: string): Operation {
  const [method = "", path = ""] = key.split(" ");
  const documented = document.paths[path]?.[method.toLowerCase()];
  if (!documented) throw new Error(`The document has no ${key}`);
  return documented;
}

export function response(key: string, status: number): Response {
  const given = operation(key).responses[status];
  const resolved =
    given && "$ref" in given ? document.components.responses[referencedName(given.$ref)] : given;
  if (!resolved) throw new Error(`${key} has no ${status}`);
  return resolved;
}

export function ref(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` };
}

export function validatorOf(schema: JsonSchema, { components } = document): z.ZodType {
  const text = JSON.stringify({ ...schema, $defs: components.schemas });
  return z.fromJSONSchema(JSON.parse(text.replaceAll("#/components/schemas/", "#/$defs/")));
}
