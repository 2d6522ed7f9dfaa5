import * as z from "zod";
import { isBytes, mediaTypesOf } from "../../lib/http/media-types.ts";
import { protocolOf } from "../../lib/http/protocol.ts";
import type { Route, Status } from "../../lib/http/route.ts";
import type { Components } from "./components.ts";
import { headersOf } from "./headers.ts";
import type { Content, MediaType, Response } from "./model.ts";

const meanings: Readonly<Record<Status, string>> = {
  200: "Success",
  201: "Created",
  204: "Done; there is no body",
  302: "Found elsewhere",
  308: "Found elsewhere, for good",
};

/**
 * The successes of a route.
 *
 * @param components takes in the named schemas
 * @returns the responses by status
 */
export function successesOf(route: Route<never>, components: Components): Record<string, Response> {
  const { responseHeaders, possibleHeaders, canBeNotModified } = protocolOf(route);
  const responses = Object.entries(route.responses).map(([text, validator]) => {
    const status = Number(text) as Status;
    const hasBody = !(validator instanceof z.ZodUndefined);
    return [
      status,
      {
        description: validator.description ?? meanings[status],
        headers: headersOf([
          ...new Set([
            ...(route.responseHeaders?.[status] ?? []),
            ...responseHeaders,
            ...possibleHeaders,
            ...(hasBody ? ["content-encoding", "vary"] : []),
            "x-request-id",
          ]),
        ]),
        ...(hasBody && { content: contentOf(validator, components) }),
      },
    ];
  });
  if (!canBeNotModified) return Object.fromEntries(responses);
  const notModified = {
    description: "The record is as `If-None-Match` knows it",
    headers: headersOf(["etag", "x-request-id"]),
  };
  return { ...Object.fromEntries(responses), 304: notModified };
}

function contentOf(validator: z.ZodType, components: Components): Content {
  const described = isBytes(validator) ? undefined : describedContent(validator, components);
  return Object.fromEntries(
    mediaTypesOf(validator).map((type) => {
      const [name = type] = type.split(";");
      return [name, described ?? bytesOf(name)];
    }),
  );
}

/** Nothing is said of bytes but their type. */
function bytesOf(type: string): MediaType {
  return { schema: { type: type === "application/json" ? "object" : "string" } };
}

/** An answer that has several shapes is exactly one of them. */
function describedContent(validator: z.ZodType, components: Components): MediaType {
  const { anyOf, description: _, ...schema } = components.of(validator, "output");
  if (anyOf === undefined) return { schema };
  const examples = anyOf.map((shape) => [
    shape.$ref?.replace(/^.*\//, "") ?? "array",
    { value: components.example(shape) },
  ]);
  return { schema: { ...schema, oneOf: anyOf }, examples: Object.fromEntries(examples) };
}
