import { codeBlock, create, find, findAll } from "../../../infra/documentation/browser/elements.ts";
import { credentialHeaders, type Scheme } from "../../../infra/documentation/code-sample.ts";
import type { Message, StoredRecord } from "../model.ts";
import { button, edit, post, readDocument, rowWith, send } from "./shared.ts";

const query = new URLSearchParams(location.search);

export async function showData(): Promise<void> {
  await showRecords();
  for (const each of findAll<HTMLButtonElement>("#all button"))
    each.onclick = () => replaceData(each.textContent, each.name);
  const input = find<HTMLInputElement>("#all input");
  input.onchange = () => replaceData(`Import ${input.files?.[0]?.name}`, "import", input.files?.[0]);
}

async function showRecords(): Promise<void> {
  const response = await fetch(`/_dev/data/items?${query}`);
  if (!response.ok) throw new Error(await response.text());
  const { areas, area, items, page, pages, total } = await response.json();
  const link = (text: string, search: object) =>
    create("a", { href: `?${new URLSearchParams({ ...search })}` }, text);
  const pageLink = (text: string, to: number) =>
    to >= 1 && to <= pages ? link(text, { ...Object.fromEntries(query), area, page: to }) : "";
  const current = create("b", { ariaCurrent: "page" }, area);
  find("#areas").replaceChildren(
    ...areas.map((name: string) => (name === area ? current : link(name, { area: name }))),
  );
  find<HTMLInputElement>("[name=area]").value = area;
  find<HTMLInputElement>("[name=search]").value = query.get("search") ?? "";
  find("#create").replaceChildren(...(await operationsOf(area, /^[^{]+201$/)));
  find("#records").replaceChildren(...items.map((each: StoredRecord) => recordRow(area, each)));
  const text = total === 0 ? "Nothing found" : `Page ${page} of ${pages}, ${total} in all`;
  find("#pages").replaceChildren(text, pageLink("Previous", page - 1), pageLink("Next", page + 1));
}

function recordRow(area: string, record: StoredRecord): HTMLElement {
  const { id = "internal", item } = record;
  const { pk, sk, ...fields } = item;
  const text = `${record.id === undefined ? `${pk} / ${sk} ` : ""}${JSON.stringify(fields)}`;
  const cells = [create("span", {}, id), create("span", { className: "wide", title: text }, text)];
  return rowWith("row record", cells, () => {
    const actions = create("div", { className: "actions" });
    const ofRecord = new RegExp(`^/${area}/\\{\\w+\\}(/[^{]+)?\\d+$`);
    if (record.id !== undefined)
      void operationsOf(area, ofRecord, record).then((buttons) => actions.append(...buttons));
    const stored = codeBlock(JSON.stringify(item, undefined, 2), "What is stored", true);
    return create("div", { className: "detail" }, actions, stored);
  });
}

/** Buttons for an area's operations, with what is stored of a record. @param like path and status */
async function operationsOf(area: string, like: RegExp, { id = "", item }: StoredRecord = { item: {} }) {
  const { paths, components } = await readDocument();
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, ...operation })),
  );
  return operations
    .filter(({ path, tags, responses }) => tags.includes(area) && like.test(path + Object.keys(responses)[0]))
    .map(({ path, method, summary, security, parameters = [], requestBody }) => {
      const required = parameters
        .filter((parameter) => parameter.in === "query" && parameter.required)
        .map(({ name, example }) => `${name}=${item[name] ?? example}`);
      const target = [path.replace(/\{\w+\}/, encodeURIComponent(id)), ...required].join("?");
      const { schema, example } = requestBody?.content["application/json"] ?? {};
      const { properties = {} } = components.schemas[schema?.$ref?.split("/").at(-1) ?? ""] ?? schema ?? {};
      const stored = Object.keys(properties).filter((name) => item[name] !== undefined);
      const body = stored.length > 0 ? Object.fromEntries(stored.map((name) => [name, item[name]])) : example;
      const schemes = Object.keys(Object(security[0])) as Scheme[];
      const lines = [
        `${method.toUpperCase()} ${target}`,
        ...schemes.map((scheme) => `${credentialHeaders[scheme].name}: •••`),
        ...(body === undefined ? [] : ["content-type: application/json"]),
      ];
      const request = { head: lines.join("\n"), body: JSON.stringify(body, undefined, 2) ?? "" };
      return button(summary, () => editAndSend(request));
    });
}

async function editAndSend(request: Message): Promise<void> {
  const edited = await edit(request);
  if (edited) await say(async () => `${edited.head.split("\n")[0]}: ${await send(edited)}`);
}

async function replaceData(what: string, path: string, file?: File): Promise<void> {
  if (!confirm(`${what}? This replaces all data.`)) return;
  await say(() => post(`/data/${path}`, file).then(() => "All data was replaced."));
}

/** Shows what came of an act, and what is stored afterwards. */
async function say(act: () => Promise<string>): Promise<void> {
  const said = find("#said");
  said.textContent = "Working";
  const result = codeBlock(await act().catch((error: Error) => error.message), "Result", false);
  await showRecords();
  said.replaceChildren(result);
  result.focus();
}
