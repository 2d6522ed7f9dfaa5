import { codeBlock, create } from "../../../infra/documentation/browser/elements.ts";
import { parseJson } from "../../../infra/documentation/parse-json.ts";
import type { LogLine } from "../../log.ts";
import type { RequestToSend, ShownCall, ShownRequest } from "../model.ts";
import { clientCallOf, curlOf } from "./copy.ts";

/** Everything that is shown of a request, in lower case. */
export function searchText({
  id,
  method,
  target,
  route = "",
  status,
  calls,
  lines,
  ...request
}: ShownRequest) {
  const { requestHeaders, responseHeaders, requestBody, responseBody } = request;
  return [
    ...[method, target, route, status, id, requestBody, responseBody],
    ...[...requestHeaders, ...responseHeaders].map(([name, value]) => `${name}: ${value}`),
    ...calls.flatMap(({ operation, targets, input, result }) => [operation, ...targets, ...input, result]),
    ...lines.map(formatLine),
  ]
    .join("\n")
    .toLowerCase();
}

export function detailOf(request: ShownRequest): HTMLElement {
  const { id, method, target, route, milliseconds, calls, lines } = request;
  const links = create("span", {});
  if (route !== undefined) void addLinks(links, method, route);
  return create(
    "div",
    { className: "detail" },
    create(
      "p",
      { className: "quiet" },
      `${route ? `Route ${method} ${route}` : "No function responded"} · request `,
      create("code", {}, id),
      links,
    ),
    actions(request),
    create("h2", {}, "Request"),
    codeBlock(`${method} ${target}\n${headerLines(request.requestHeaders)}`, "Request headers", false),
    ...bodyOf("Request", request.requestBody),
    create("h2", {}, "Response"),
    codeBlock(`${request.status}\n${headerLines(request.responseHeaders)}`, "Response headers", false),
    ...bodyOf("Response", request.responseBody),
    create("h2", {}, "Calls to AWS, by the round in which they waited for each other"),
    ...(calls.length > 0
      ? calls.map((call) => callRow(call, milliseconds))
      : [create("p", { className: "quiet" }, "None")]),
    create("h2", {}, "Log"),
    create("pre", {}, lines.map(formatLine).join("\n") || "No lines"),
  );
}

function actions(request: ShownRequest): HTMLElement {
  const said = create("span", { role: "status" });
  const button = (text: string, act: () => Promise<string>) => {
    const made = create("button", { type: "button" }, text);
    made.addEventListener("click", async () => {
      said.textContent = await act().catch((error: Error) => error.message);
    });
    return made;
  };
  const copy = async (text: string) => {
    await navigator.clipboard.writeText(text);
    return "Copied";
  };
  return create(
    "div",
    { className: "actions" },
    button("Send again", () => send(request)),
    button("Edit and send", () => editor(request)),
    button("Copy as curl", () => copy(curlOf(request))),
    button("Copy as client call", () => copy(clientCallOf(request))),
    said,
  );
}

async function send({ id, method, target, requestHeaders, requestBody }: RequestToSend): Promise<string> {
  const body = JSON.stringify({ id, method, target, requestHeaders, requestBody });
  const response = await fetch("/_dev/send", { method: "POST", body });
  if (response.status === 404) return "That request was before the last start: copy it instead.";
  return response.ok ? "Sent: the newest row is its response." : await response.text();
}

/** A dialog with the first line and headers, and with the body. @returns what became of it */
async function editor(request: ShownRequest): Promise<string> {
  const { id, method, target, requestHeaders, requestBody } = request;
  const lines = `${method} ${target}\n${headerLines(requestHeaders)}`;
  const head = create("textarea", { value: lines, rows: 8, ariaLabel: "Request with headers" });
  const body = create("textarea", { value: requestBody, rows: 8, ariaLabel: "Body" });
  const dialog = create(
    "dialog",
    { ariaLabel: "Edit and send" },
    create(
      "form",
      { method: "dialog" },
      head,
      body,
      create(
        "p",
        { className: "quiet" },
        "Hidden secrets (•••) of headers and the query are sent as they were.",
      ),
      create("button", { value: "send" }, "Send"),
      " ",
      create("button", { value: "" }, "Cancel"),
    ),
  );
  document.body.append(dialog);
  dialog.showModal();
  await new Promise((resolve) => dialog.addEventListener("close", resolve));
  dialog.remove();
  if (dialog.returnValue !== "send") return "";
  return await send({ id, ...readHead(head.value), requestBody: body.value });
}

function readHead(text: string): Pick<RequestToSend, "method" | "target" | "requestHeaders"> {
  const [first = "", ...lines] = text.split("\n").filter((line) => line.trim() !== "");
  const [method = "", target = "/"] = first.trim().split(" ");
  const requestHeaders = lines.map((line): [string, string] => {
    const [name = "", ...value] = line.split(":");
    return [name.trim(), value.join(":").trim()];
  });
  return { method, target, requestHeaders };
}

type Operations = Readonly<Record<string, Readonly<Record<string, { readonly operationId?: string }>>>>;

let operations: Promise<{ readonly paths: Operations }> | undefined;

async function addLinks(links: HTMLElement, method: string, route: string): Promise<void> {
  operations ??= fetch("/openapi.json").then((response) => response.json());
  const source = await (await fetch(`/_dev/source?${encodeURIComponent(`${method} ${route}`)}`)).json();
  const { paths } = await operations;
  const operationId = paths[route]?.[method.toLowerCase()]?.operationId;
  if (operationId) links.append(" · ", create("a", { href: `/docs#${operationId}` }, "documentation"));
  if (source) links.append(" · ", create("a", { href: `vscode://file${source.path}` }, source.file));
}

function headerLines(headers: ShownRequest["requestHeaders"]): string {
  return headers.map(([name, value]) => `${name}: ${value}`).join("\n");
}

function bodyOf(title: string, text: string): readonly HTMLElement[] {
  return text === "" ? [] : [codeBlock(text, `${title} body`, /^[[{"]/.test(text))];
}

/** Without the definition of metrics, which is longer than the rest. */
function formatLine({ source, text }: LogLine): string {
  const entry = parseJson(text);
  const shown = typeof entry === "object" ? JSON.stringify({ ...entry, _aws: undefined }) : text;
  return `[${source}] ${shown}`;
}

/** @param total of the request, in milliseconds */
function callRow(call: ShownCall, total: number): HTMLElement {
  const { operation, targets, round, offset, milliseconds, capacityUnits, denial, input, result } = call;
  const bar = create("span", { className: "bar" });
  bar.style.marginLeft = `${Math.min(99, (100 * offset) / total)}%`;
  bar.style.width = `${Math.max(1, Math.min(100, (100 * milliseconds) / total))}%`;
  return create(
    "div",
    { className: "call" },
    create(
      "span",
      {},
      `${round}. ${operation} ${targets.join(", ")} ·`,
      denial === undefined
        ? create("span", { className: "quiet" }, ` allowed, ${result}`)
        : create("span", { className: "bad" }, ` ${denial}`),
    ),
    create("span", {}, `${milliseconds.toFixed(1)} ms, at ${offset.toFixed(1)}`),
    create("span", {}, `${capacityUnits} ${capacityUnits === 1 ? "unit" : "units"}`),
    create("span", { className: "track" }, bar),
    ...(input.length > 0 ? [create("code", { className: "quiet input" }, input.join("\n"))] : []),
  );
}
