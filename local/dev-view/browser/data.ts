import { codeBlock, create, find, findAll } from "../../../infra/documentation/browser/elements.ts";
import type { RecordPage, StoredRecord } from "../../database/record-page.ts";
import type { MessageToSend } from "../model.ts";
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
  const { areas, area, items, page, pages, total }: RecordPage = await response.json();
  const link = (text: string, search: string) => create("a", { href: `?${search}` }, text);
  const pageLink = (text: string, to: number) =>
    to >= 1 && to <= pages
      ? [link(text, `${new URLSearchParams({ ...Object.fromEntries(query), area, page: String(to) })}`)]
      : [];
  const current = create("b", { ariaCurrent: "page" }, area);
  find("#areas").replaceChildren(
    ...areas.map((name) => (name === area ? current : link(name, `area=${name}`))),
  );
  find<HTMLInputElement>("[name=area]").value = area;
  find<HTMLInputElement>("[name=search]").value = query.get("search") ?? "";
  const creations = await operationsOf(area, (path, isCreation) => isCreation && !path.includes("{"));
  find("#create").replaceChildren(...creations);
  find("#records").replaceChildren(...items.map((each) => recordRow(area, each)));
  const pageText = total === 0 ? "Nothing found" : `Page ${page} of ${pages}, ${total} in all`;
  find("#pages").replaceChildren(pageText, ...pageLink("Previous", page - 1), ...pageLink("Next", page + 1));
}

function recordRow(area: string, record: StoredRecord): HTMLElement {
  const { id = "internal", item } = record;
  const { pk, sk, ...fields } = item;
  const text = record.id === undefined ? `${pk} / ${sk} ${JSON.stringify(fields)}` : JSON.stringify(fields);
  const cells = [create("span", {}, String(id)), create("span", { title: text }, text)];
  return rowWith("row record", cells, () => {
    const actions = create("div", { className: "actions" });
    const isOfRecord = (path: string) => new RegExp(`^/${area}/\\{\\w+\\}(/[^{]+)?$`).test(path);
    if (record.id !== undefined)
      void operationsOf(area, isOfRecord, record).then((buttons) => actions.append(...buttons));
    const stored = codeBlock(JSON.stringify(item, undefined, 2), "What is stored", true);
    return create("div", { className: "detail" }, actions, stored);
  });
}

/** Buttons that ask for requests to an area's operations, with what is stored of a record. */
async function operationsOf(
  area: string,
  isWanted: (path: string, isCreation: boolean) => boolean,
  { id = "", item }: StoredRecord = { item: {} },
): Promise<HTMLButtonElement[]> {
  const { paths, components } = await readDocument();
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { tags, responses }]) => tags.includes(area) && isWanted(path, "201" in responses))
      .map(([method, { summary, security, parameters = [], requestBody }]) => {
        const target = path.replace(/\{\w+\}/, encodeURIComponent(id));
        const required = parameters
          .filter((parameter) => parameter.in === "query" && parameter.required)
          .map(({ name, example }) => `${name}=${item[name] ?? example}`);
        const { schema, example } = requestBody?.content["application/json"] ?? {};
        const named = components.schemas[schema?.$ref?.split("/").at(-1) ?? ""] ?? schema;
        const stored = Object.keys(named?.properties ?? {}).flatMap((name) =>
          item[name] === undefined ? [] : [[name, item[name]]],
        );
        const body = stored.length > 0 ? Object.fromEntries(stored) : example;
        const schemes = Object.keys(Object(security[0]));
        const lines = [
          `${method.toUpperCase()} ${[target, ...required].join("?")}`,
          ...schemes.map((scheme) => `${scheme === "bearer" ? "authorization" : "x-api-key"}: •••`),
          ...(body === undefined ? [] : ["content-type: application/json"]),
        ];
        const request = { head: lines.join("\n"), body: JSON.stringify(body, undefined, 2) ?? "" };
        return button(summary, () => editAndSend(request));
      }),
  );
}

async function editAndSend(request: MessageToSend): Promise<void> {
  const edited = await edit(request);
  if (edited) await say(async () => `${edited.head.split("\n")[0]}: ${await send(edited)}`);
}

async function replaceData(what: string, path: string, file?: File): Promise<void> {
  if (!confirm(`${what}? This replaces all data.`)) return;
  await say(async () => {
    await post(`/data/${path}`, file);
    return "All data was replaced.";
  });
}

/** Shows what came of an act, and what is stored afterwards. */
async function say(act: () => Promise<string>): Promise<void> {
  const said = find("#said");
  said.textContent = "Working";
  const text = await act().catch((error: Error) => error.message);
  await showRecords();
  const result = codeBlock(text, "Result", false);
  said.replaceChildren(result);
  result.focus();
}
