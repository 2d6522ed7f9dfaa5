import { codeBlock, create } from "../../../infra/documentation/browser/elements.ts";
import {
  clientCall,
  credentialHeaders,
  languages,
  type Scheme,
} from "../../../infra/documentation/code-sample.ts";
import { type Message, readHead, type ShownRequest } from "../model.ts";
import { button, heading, note, openApi, send } from "./shared.ts";

export function detailOf(request: ShownRequest): readonly Node[] {
  const { id, method, target, status, milliseconds, capacityUnits, route } = request;
  const by = request.function ? `function ${request.function}` : "no function responded";
  const about = note(`${milliseconds.toFixed(1)} ms · ${unitsOf(capacityUnits)} · ${by} · request ${id}`);
  if (route !== undefined) void addLinks(about, route);
  const columns = [
    create("div", {}, ...message("Response", request.response), ...message("Request", request.request)),
    create("div", {}, heading("Calls to AWS"), ...callsOf(request), heading("Log"), logOf(request)),
  ];
  const title = heading(`${status} ${method} ${target}`);
  const buttons = method === "JOB" ? [] : actions(request);
  return [title, about, ...buttons, create("div", { className: "columns" }, ...columns)];
}

function actions(shown: ShownRequest): readonly Node[] {
  const { route, request } = shown;
  const said = create("span", { role: "status" });
  const saying = (text: string, act: () => Promise<string>) =>
    button(text, async () => {
      said.textContent = await act().catch((error: Error) => error.message);
    });
  const sent = (edited: Message) => send(edited).then(() => "Sent: the newest row is its response.");
  const copying = (text: string, code: string) =>
    saying(text, () => navigator.clipboard.writeText(code).then(() => "Copied"));
  const head = create("textarea", { value: request.head, rows: 6, ariaLabel: "Request with headers" });
  const body = create("textarea", { value: request.body, rows: 8, ariaLabel: "Body" });
  const editor = create("details", {}, create("summary", {}, "Edit and send"), head, body);
  editor.append(
    note("Hidden values (•••) are sent as they were, or as those of admin and the first API key."),
    saying("Send", () => sent({ ...request, head: head.value, body: body.value })),
  );
  const buttons = [
    saying("Send again", () => sent(request)),
    copying("Copy as curl", curlOf(shown)),
    ...(route ? [copying("Copy as client call", clientCallOf(shown, route))] : []),
  ];
  return [create("div", { className: "actions" }, ...buttons, said), editor];
}

async function addLinks(about: HTMLElement, route: string): Promise<void> {
  const [method = "", path = ""] = route.split(" ");
  const operationId = (await openApi).paths[path]?.[method.toLowerCase()]?.operationId;
  if (operationId) about.append(" · ", create("a", { href: `/docs#${operationId}` }, operationId));
  const source = await (await fetch(`/_dev/source?${new URLSearchParams({ route })}`)).text();
  if (source) about.append(" · ", editorLink(source));
}

/** @param place a path in the project, or a whole one, with line and column */
function editorLink(place: string): HTMLElement {
  const project = place.startsWith("/") ? "" : document.documentElement.dataset.project;
  return create("a", { href: `vscode://file${project}${place}` }, place);
}

function message(title: string, { head, body }: Message): readonly Node[] {
  const block = codeBlock(body, title, true);
  block.prepend(create("span", { className: "note" }, body === "" ? head : `${head}\n\n`));
  return [heading(title), block];
}

const unitsOf = (units: number) => `${units} ${units === 1 ? "unit" : "units"}`;

/** All of them below one axis of time. */
function callsOf({ calls, milliseconds: total }: ShownRequest): readonly Node[] {
  const ticks = [0, 1, 2].map((i) => create("span", {}, `${((total * i) / 2).toFixed(1)} ms`));
  const rows = calls.map(({ title, input, result, isDenied, offset, milliseconds, capacityUnits }) => {
    const time = create("div", { className: "time" });
    time.style.marginLeft = `${Math.min(99, (100 * offset) / total)}%`;
    time.style.width = `${Math.max(1, Math.min(100, (100 * milliseconds) / total))}%`;
    const outcome = create("span", { className: isDenied ? "alert" : "note" }, result);
    const numbers = `\n${unitsOf(capacityUnits)}, ${milliseconds.toFixed(1)} ms at ${offset.toFixed(0)} ms`;
    return create("div", { className: "call" }, time, `${title} · `, outcome, numbers, note(input));
  });
  return rows.length > 0 ? [create("div", { className: "bar note" }, ...ticks), ...rows] : [note("None")];
}

/** As on a terminal; frames of stacks open the editor. */
function logOf({ lines }: ShownRequest): HTMLElement {
  const frame = /(?:file:\/\/)?((?:\/|\b(?:functions|lib|infra|local|node_modules)\/)[^\s():]+:\d+:\d+)/;
  const shown = lines.map(({ text, isError }) => {
    const parts = text.split(frame).map((part, i) => (i % 2 ? editorLink(part) : part));
    return create("div", { className: isError ? "alert" : "" }, ...parts);
  });
  const log = create("pre", { tabIndex: 0, role: "group", ariaLabel: "Log" }, ...shown);
  return shown.length > 0 ? log : note("No lines");
}

/** Headers that a program should send too; its library sets the others. */
const copied = /^(content-type|api-version|if-match|if-none-match|idempotency-key)$/i;

/** The request as a command, with secrets as variables. */
function curlOf({ request: { head, body } }: ShownRequest): string {
  const { method, target, headers } = readHead(head);
  const names = headers.map(([name]) => name.toLowerCase());
  const schemes: readonly Scheme[] = ["bearer", "apiKey"];
  const credentials = schemes.find((scheme) => names.includes(credentialHeaders[scheme].name));
  return languages.curl.codeOf({
    ...{ method, url: location.origin + target, returnsJson: true },
    headers: Object.fromEntries(headers.filter(([name]) => copied.test(name))),
    ...(body !== "" && { body }),
    ...(credentials && { credentials }),
  });
}

/** The request as a call of the typed client. @param route such as `GET /todos/{id}` */
function clientCallOf({ target, request: { head, body } }: ShownRequest, route: string): string {
  const { pathname, searchParams } = new URL(target, location.origin);
  const [method = "", template = ""] = route.split(" ");
  const pattern = new RegExp(`^${template.replaceAll(/\{(\w+)\}/g, "(?<$1>[^/]+)")}/?$`);
  const header = readHead(head).headers.filter(([name]) => copied.test(name) && !/^content-/i.test(name));
  const texts = {
    path: pattern.exec(decodeURIComponent(pathname))?.groups,
    ...(searchParams.size > 0 && { query: Object.fromEntries(searchParams) }),
    ...(header.length > 0 && { header: Object.fromEntries(header) }),
  };
  const params = JSON.parse(JSON.stringify(texts), (_, value) =>
    /^(0|[1-9]\d{0,14}|true|false)$/.test(value) ? JSON.parse(value) : value,
  );
  return `const { data, error } = ${clientCall(method, template, params, body)};`;
}
