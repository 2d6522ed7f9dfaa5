import { codeBlock, create } from "../../../infra/documentation/browser/elements.ts";
import type { Message, MessageToSend, ShownCall, ShownRequest } from "../model.ts";
import { clientCallOf, curlOf } from "./copy.ts";
import { button, edit, readDocument, send } from "./shared.ts";

/** Everything that is shown of a request, in lower case; headers as `name: value`. */
export function searchText(value: unknown): string {
  const isObject = typeof value === "object" && value !== null;
  return isObject ? Object.values(value).map(searchText).join(": ") : String(value).toLowerCase();
}

export function detailOf(request: ShownRequest): HTMLElement {
  const { id, method, route, milliseconds, calls, lines } = request;
  const messages = [messageOf("Request", request.request), messageOf("Response", request.response)];
  const links = create("span", {});
  if (route !== undefined) void addLinks(links, method, route);
  return create(
    "div",
    { className: "detail" },
    create(
      "p",
      { className: "note" },
      `${route ? `Route ${method} ${route}` : "No function responded"} · request `,
      create("code", {}, id),
      links,
    ),
    actions(request),
    create("div", { className: "pair" }, ...messages),
    create("h2", {}, "Calls to AWS"),
    ...(calls.length > 0
      ? calls.map((call) => callRow(call, milliseconds))
      : [create("p", { className: "note" }, "None")]),
    create("h2", {}, "Log"),
    create("pre", {}, lines.join("\n") || "No lines"),
  );
}

function actions(request: ShownRequest): HTMLElement {
  const said = create("span", { role: "status" });
  const saying = (text: string, act: () => Promise<string>) =>
    button(text, async () => {
      said.textContent = await act().catch((error: Error) => error.message);
    });
  const message = { id: request.id, ...request.request };
  const sent = (edited: MessageToSend) => send(edited).then(() => "Sent: the newest row is its response.");
  const copied = (text: string) => navigator.clipboard.writeText(text).then(() => "Copied");
  return create(
    "div",
    { className: "actions" },
    saying("Send again", () => sent(message)),
    saying("Edit and send", () => edit(message).then((edited) => (edited ? sent(edited) : ""))),
    saying("Copy as curl", () => copied(curlOf(request))),
    saying("Copy as client call", () => copied(clientCallOf(request))),
    said,
  );
}

async function addLinks(links: HTMLElement, method: string, route: string): Promise<void> {
  const query = new URLSearchParams({ route: `${method} ${route}` });
  const source = await (await fetch(`/_dev/source?${query}`)).json();
  const { paths } = await readDocument();
  const operationId = paths[route]?.[method.toLowerCase()]?.operationId;
  if (operationId) links.append(" · ", create("a", { href: `/docs#${operationId}` }, "documentation"));
  if (source)
    links.append(
      " · ",
      create("a", { href: `vscode://file${source}` }, source.replace(/^.*\b(?=functions\/)/, "")),
    );
}

function messageOf(title: string, { head, body }: Message): HTMLElement {
  const text = body === "" ? head : `${head}\n\n${body}`;
  return create("section", {}, create("h2", {}, title), codeBlock(text, title, true));
}

/** @param total of the request, in milliseconds */
function callRow(call: ShownCall, total: number): HTMLElement {
  const { title, input, result, isDenied, offset, milliseconds, capacityUnits } = call;
  const bar = create("span", { className: "time" });
  bar.style.marginLeft = `${Math.min(99, (100 * offset) / total)}%`;
  bar.style.width = `${Math.max(1, Math.min(100, (100 * milliseconds) / total))}%`;
  const outcome = create("span", { className: isDenied ? "alert" : "note" }, result);
  return create(
    "div",
    { className: "call" },
    create("span", {}, `${title} · `, outcome),
    create("span", {}, `${milliseconds.toFixed(1)} ms, at ${offset.toFixed(0)}`),
    create("span", {}, `${capacityUnits} ${capacityUnits === 1 ? "unit" : "units"}`),
    bar,
    create("code", { className: "note" }, input),
  );
}
