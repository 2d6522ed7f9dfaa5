import * as z from "zod/mini";
import { protocolOf } from "../../lib/http/protocol.ts";
import { isBytes, JSON_MEDIA_TYPE, mediaTypesOf, type Route, type Status } from "../../lib/http/route.ts";
import type { Components } from "./components.ts";
import { headerReferences } from "./headers.ts";
import { referencedName, schemaNameOf } from "./json-schema.ts";
import type { Content, MediaType, Response } from "./model.ts";

const descriptions: Readonly<Record<Status, string>> = {
  200: "Success",
  201: "Created",
  204: "Success, without a body",
  302: "Temporary redirect",
  308: "Permanent redirect",
};

export function successResponses(route: Route, components: Components): Record<string, Response> {
  const { responseHeaders, possibleHeaders, canBeNotModified } = protocolOf(route);
  const responses = Object.entries(route.responses).map(([key, validator]) => {
    const status = Number(key) as Status;
    const hasBody = !(validator instanceof z.ZodMiniUndefined);
    return [
      status,
      {
        description: z.globalRegistry.get(validator)?.description ?? descriptions[status],
        headers: headerReferences([
          ...new Set([
            ...(route.responseHeaders?.[status] ?? []),
            ...responseHeaders,
            ...possibleHeaders,
            ...(hasBody ? ["content-encoding", "vary"] : []),
            "x-request-id",
          ]),
        ]),
        ...(hasBody && { content: contentOf(route, validator, components) }),
      },
    ];
  });
  const notModified = {
    description: "Not modified: the record's entity tag is among those in `If-None-Match`",
    headers: headerReferences(["cache-control", "etag", "x-request-id"]),
  };
  return { ...Object.fromEntries(responses), ...(canBeNotModified && { 304: notModified }) };
}

function contentOf(route: Route, validator: z.ZodMiniType, components: Components): Content {
  const json = isBytes(validator) ? undefined : jsonContent(route, validator, components);
  return Object.fromEntries(
    mediaTypesOf(validator).map((type) => {
      const [name = type] = type.split(";");
      return [name, json ?? { schema: { type: name === JSON_MEDIA_TYPE ? "object" : "string" } }];
    }),
  );
}

/** zod's `anyOf` becomes `oneOf`: a response matches exactly one of its alternatives. */
function jsonContent(route: Route, validator: z.ZodMiniType, components: Components): MediaType {
  const { anyOf, description: _, ...schema } = components.addValidator(validator, "output");
  if (anyOf === undefined) return { schema, example: components.example(schema) };
  const examples = anyOf.map((alternative) => [
    alternative.$ref === undefined ? "array" : referencedName(alternative.$ref),
    { value: components.example(alternative) },
  ]);
  const name = schemaNameOf(route, "Result");
  return { schema: components.add(name, { oneOf: anyOf }), examples: Object.fromEntries(examples) };
}
