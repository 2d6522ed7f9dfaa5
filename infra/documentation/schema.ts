import { referencedName } from "../openapi/json-schema.ts";
import type { JsonSchema, MediaType } from "../openapi/model.ts";
import { Html, html } from "./html.ts";
import type { Markdown } from "./markdown.ts";

const sizes = ["int64", "double"];

/** A schema's type, such as `array of Order`, in which named schemas are links. */
export function typeOf(schema: JsonSchema): Html {
  const { $ref, type, items, anyOf, oneOf, additionalProperties } = schema;
  if ($ref !== undefined) {
    const name = referencedName($ref);
    return html`<a href="#schema-${name}">${name}</a>`;
  }
  const alternatives = anyOf ?? oneOf;
  if (alternatives !== undefined) return join(alternatives.map(typeOf), " or ");
  if (items !== undefined) {
    const array = html`array of ${typeOf(items)}`;
    return [type].flat().includes("null") ? html`${array} or null` : array;
  }
  if (typeof additionalProperties === "object") return html`object of ${typeOf(additionalProperties)}`;
  return html`${[type ?? "any"].flat().join(" or ")}`;
}

/** What a schema requires besides its type, such as `1 to 200 characters`. */
export function boundsOf(schema: JsonSchema): Html[] {
  const { minLength, maxLength, minItems, maxItems, minimum, maximum, exclusiveMinimum } = schema;
  return [
    ...range(minLength, maxLength, "character"),
    ...range(minItems, maxItems, "item"),
    ...(exclusiveMinimum === undefined ? [] : [html`above ${exclusiveMinimum}`]),
    ...range(withinDouble(minimum), withinDouble(maximum)),
    ...(schema.format === undefined || sizes.includes(schema.format) ? [] : [html`${schema.format}`]),
    ...(schema.pattern === undefined ? [] : [html`matches <code>${schema.pattern}</code>`]),
    ...(schema.const === undefined ? [] : [html`always ${code(schema.const)}`]),
    ...(schema.enum === undefined ? [] : [html`one of ${join(schema.enum.map(code), ", ")}`]),
    ...(schema.items === undefined ? [] : boundsOf(schema.items).map((bound) => html`each ${bound}`)),
    ...(schema.default === undefined ? [] : [html`default ${code(schema.default)}`]),
  ];
}

/** Type and bounds in one line, also those of what a reference leads to (`resolved`). */
export function summaryOf(schema: JsonSchema, resolved = schema): Html {
  return html`<span class="type">${join([typeOf(schema), ...boundsOf(resolved)], " · ")}</span>`;
}

/** The fields of an object or of the items of an array, at any depth. Empty for a named schema. */
export function fieldsOf(schema: JsonSchema, markdown: Markdown): Html {
  const { properties, items, anyOf, oneOf, required = [] } = schema;
  if (properties === undefined) {
    const inner = [...(items ? [items] : []), ...(anyOf ?? oneOf ?? [])];
    return html`${inner.map((each) => fieldsOf(each, markdown))}`;
  }
  return html`<ul class="fields">${Object.entries(properties).map(
    ([name, field]) => html`
<li><span class="name">${name}</span>${requiredMark(required.includes(name))} ${summaryOf(field)}
${field.description === undefined ? undefined : html`<p>${markdown.inline(field.description)}</p>`}
${fieldsOf(field, markdown)}</li>`,
  )}</ul>`;
}

export function requiredMark(isRequired: boolean): Html | undefined {
  return isRequired ? html` <span class="alert">required</span>` : undefined;
}

function range(from: number | undefined, to: number | undefined, unit?: string): Html[] {
  const ending = (count: number) => (unit === undefined ? "" : ` ${unit}${count === 1 ? "" : "s"}`);
  const number = (value: number) => value.toLocaleString("en", { maximumFractionDigits: 20 });
  if (from !== undefined && to !== undefined) return [html`${number(from)} to ${number(to)}${ending(to)}`];
  if (from !== undefined) return [html`at least ${number(from)}${ending(from)}`];
  return to === undefined ? [] : [html`at most ${number(to)}${ending(to)}`];
}

/** The bounds of every integer are in the text at the start. */
function withinDouble(bound: number | undefined): number | undefined {
  return bound !== undefined && Math.abs(bound) < Number.MAX_SAFE_INTEGER ? bound : undefined;
}

function code(value: unknown): Html {
  return html`<code>${typeof value === "string" ? value : JSON.stringify(value)}</code>`;
}

export function join(parts: readonly Html[], separator: string): Html {
  return new Html(parts.map(({ text }) => text).join(html`${separator}`.text));
}

export function examplesOf({ example, examples = {} }: MediaType): readonly unknown[] {
  return example === undefined ? Object.values(examples).map(({ value }) => value) : [example];
}
