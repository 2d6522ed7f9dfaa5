import { codeBlock, create, find, findAll } from "../../../infra/documentation/browser/elements.ts";
import { credentialHeaders, type Scheme } from "../../../infra/documentation/code-sample.ts";
import { resolveSchema } from "../../../infra/documentation/resolve-schema.ts";
import type { JsonSchema, OpenApiDocument, Response } from "../../../infra/openapi/model.ts";
import { parseJson } from "../../../lib/parse-json.ts";
import type { StoredRecord } from "../model.ts";
import { button, closePane, heading, openApi, openPane, send } from "./shared.ts";

/** A field, or `-` and the field for the opposite order. */
let sortedBy = "id";

export async function showRecords(): Promise<void> {
  const [opened] = findAll("#records [aria-current]");
  const document = await openApi;
  const response = await fetch(`/_dev/data/items${location.search}`);
  if (!response.ok) throw new Error(await response.text());
  const { areas, area, records, internal } = await response.json();
  const link = (name: string) => create(name === area ? "b" : "a", { href: `?area=${name}` }, name);
  find("#areas").replaceChildren(...areas.map(link));
  const creations = changesOf(document, area, /^[^{]+201$/).map((change) => {
    const content = () => [heading(change.operation.summary), formOf(change, { id: "", item: {} })];
    return button(nameOf(change), ({ target }) => openPane(target as HTMLElement, content));
  });
  find("#create").replaceChildren(...creations);
  const columns = columnsOf(document, area, records);
  const changes = changesOf(document, area, new RegExp(`^/${area}/\\{\\w+\\}(/[^{]+)?\\d+$`));
  const search = find<HTMLInputElement>("#search");
  const show = () => {
    const words = search.value.toLowerCase().split(/\s+/);
    const found = records.filter((each: StoredRecord) => words.every((word) => matches(word, each)));
    // More rows are slow; a search finds the others.
    const rows = found.sort(compare).slice(0, 500);
    const body = rows.map((record: StoredRecord) => rowOf(columns, changes, record));
    find("#records tbody").replaceChildren(...body);
    find("#said").textContent = `${rows.length} of ${records.length} records`;
  };
  const headings = columns.map(([name, type]) => {
    const arrow = { [name]: "↑", [`-${name}`]: "↓" }[sortedBy] ?? "";
    const ariaSort = { "↑": "ascending", "↓": "descending" }[arrow] ?? "none";
    const sort = () => {
      sortedBy = sortedBy === name ? `-${name}` : name;
      return showRecords();
    };
    const by = button(`${name} ${arrow}`, sort, "open");
    return create("th", { ariaSort }, by, " ", create("small", {}, type));
  });
  find("#records thead").replaceChildren(create("tr", { className: "note" }, ...headings));
  search.oninput = show;
  show();
  for (const row of findAll("#records .open")) if (row.textContent === opened?.textContent) row.click();
  find("#internal summary").textContent = `${internal.length} internal items`;
  const lines = internal.map((item: object) => JSON.stringify(item)).join("\n");
  find("#internal pre").replaceWith(codeBlock(lines, "Internal items", true));
}

type Columns = readonly (readonly [name: string, type: string])[];

/** In the order of the schemas of a new and a listed record; without one, what is stored. */
function columnsOf(document: OpenApiDocument, area: string, records: readonly StoredRecord[]): Columns {
  const schemaOf = (response: unknown) => (response as Response)?.content?.["application/json"]?.schema;
  const all = Object.values(document.paths).flatMap((item) => Object.values(item));
  const responses = all.filter(({ tags }) => tags.includes(area)).map((operation) => operation.responses);
  const created = responses.map((each) => schemaOf(each[201])).find(Boolean);
  const schemas = [created, ...responses.map((each) => schemaOf(each[200])?.items)];
  const fields = schemas
    .map((schema) => resolveSchema(document, schema).properties ?? {})
    .flatMap(Object.entries);
  const types = fields.map(([name, schema]) => [name, typeOf(resolveSchema(document, schema))] as const);
  const stored = records.flatMap(({ item: { pk, sk, revision, ...item } }) => Object.keys(item));
  return types.length > 0 ? [...new Map(types)] : ["id", ...new Set(stored)].map((name) => [name, ""]);
}

const storedValue = ({ id, item }: StoredRecord, name: string) => item[name] ?? (name === "id" ? id : "");

function compare(a: StoredRecord, b: StoredRecord): number {
  const [x, y] = [a, b].map((each) => storedValue(each, sortedBy.replace("-", "")));
  const order = Number(x) - Number(y) || String(x).localeCompare(String(y), "en", { numeric: true });
  return sortedBy.startsWith("-") ? -order : order;
}

/** @param word a text without the names of fields, or `field:text`; a number is a whole value */
function matches(word: string, { id, item }: StoredRecord): boolean {
  return Object.entries({ ...item, id }).some(([name, value]) => {
    const part = word.replace(`${name.toLowerCase()}:`, "");
    const text = JSON.stringify(value).replaceAll(/"\w+":|"/g, "");
    return /^\d+$/.test(part) ? text === part : text.toLowerCase().includes(part);
  });
}

function rowOf(columns: Columns, changes: readonly Change[], record: StoredRecord): HTMLElement {
  const open = create("button", { type: "button", className: "open" }, record.id);
  const cells = columns.map(([name, type], i) => {
    const value = storedValue(record, name);
    const title = typeof value === "object" ? JSON.stringify(value) : String(value);
    const className = /^(integer|number)$/.test(type) ? "number" : "";
    return create("td", { className, title }, i === 0 ? open : title);
  });
  const content = () => {
    const stored = codeBlock(JSON.stringify(record.item, undefined, 2), "What is stored", true);
    const forms = changes.map((change) => formOf(change, record));
    return [heading(`Record ${record.id}`), ...forms, heading("What is stored"), stored];
  };
  return create("tr", { onclick: () => openPane(open, content) }, ...cells);
}

type Change = ReturnType<typeof changesOf>[number];

/** An area's operations that change something; PATCH where there is PUT too. @param like path and status */
function changesOf(document: OpenApiDocument, area: string, like: RegExp) {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method]) => method !== "get" && !(method === "put" && item.patch))
      .filter(([, { tags, responses }]) => tags.includes(area) && like.test(path + Object.keys(responses)[0]))
      .map(([method, operation]) => ({ document, method, path, operation })),
  );
}

function typeOf({ type, format, enum: values }: JsonSchema): string {
  return values ? "enum" : format === "date-time" ? "time" : ([type].flat()[0] ?? "any");
}

/** `Save`, or `Save status` if only a part is changed. */
function nameOf({ method, path }: Change): string {
  const [, part = ""] = /^\/[^/]+.*\/([^/{}]+)$/.exec(path) ?? [];
  return `${{ post: "New", delete: "Delete" }[method] ?? "Save"} ${part}`.trim();
}

/** A form that sends a request to the API, as administrator where one is needed. What was refused stays in it. */
function formOf(change: Change, { id, item }: StoredRecord): HTMLElement {
  const { document, method, path, operation } = change;
  const { schema, example } = operation.requestBody?.content["application/json"] ?? {};
  const { properties } = resolveSchema(document, schema);
  const values = id === "" ? Object(example) : item;
  const fieldFor = (name: string, of: JsonSchema) => fieldOf(name, resolveSchema(document, of), values[name]);
  const query = (operation.parameters ?? [])
    .filter((parameter) => parameter.in === "query" && parameter.required)
    .map(({ name, schema }) => fieldFor(name, schema));
  const fields = Object.entries(properties ?? {}).map(([name, schema]) => fieldFor(name, schema));
  const whole = schema && !properties ? [fieldOf("body", {}, example)] : [];
  const said = create("pre", { role: "status", hidden: true });
  const submit = create("button", { className: method === "delete" ? "alert" : "primary" }, nameOf(change));
  const labels = [...query, ...fields, ...whole].map(({ label }) => create("p", {}, label));
  const form = create("form", {}, ...labels, submit, said);
  const resource = path.replace(/\{\w+\}/, encodeURIComponent(id));
  const sendIt = async () => {
    const search = new URLSearchParams(query.map(({ name, read }) => [name, String(read())]));
    const schemes = Object.keys(Object(operation.security[0])) as Scheme[];
    const headers = schemes.map((scheme) => `\n${credentialHeaders[scheme].name}: •••`);
    const head = `${method.toUpperCase()} ${resource}${search.size > 0 ? `?${search}` : ""}${headers.join("")}`;
    const all = Object.fromEntries(fields.map(({ name, read }) => [name, read()]));
    const body = schema ? JSON.stringify(whole[0] ? whole[0].read() : all) : "";
    said.textContent = await send({ head, body }).catch((error: Error) => error.message);
    Object.assign(said, { hidden: false, className: "alert" });
    if (!/^2\d\d\n/.test(said.textContent)) return;
    if (/post|delete/.test(method)) closePane();
    await showRecords();
    find("#said").append(` · ${nameOf(change)}: ${said.textContent.slice(0, 3)}`);
  };
  form.onsubmit = () => {
    const goes = JSON.stringify(item, undefined, 2);
    if (method !== "delete" || confirm(`Delete ${resource} for good? It stores ${goes}`)) void sendIt();
    return false;
  };
  return form;
}

/** A labelled input. What was absent stays absent unless something is entered. */
function fieldOf(name: string, schema: JsonSchema, value: unknown) {
  const type = typeOf(schema);
  const isText = /^(string|time|enum)$/.test(type);
  const choices = ["", ...(type === "boolean" ? [true, false] : (schema.enum ?? []))];
  const isLong = ((schema.maxLength ?? 0) > 1100 && !schema.pattern) || /^(array|object|any)$/.test(type);
  const options = choices.map((choice) => new Option(String(choice)));
  const input = options[1] ? create("select", {}, ...options) : create(isLong ? "textarea" : "input", {});
  const before = value ?? "";
  input.value = before === "" || isText ? String(before) : JSON.stringify(before);
  // What is no JSON is sent as text, so that the API says what is wrong.
  const parse = (text: string) => (isText ? text : (parseJson(text) ?? text));
  const read = () => (input.value === "" && before === "" ? undefined : parse(input.value));
  return { name, read, label: create("label", {}, `${name} `, create("small", {}, type), input) };
}
