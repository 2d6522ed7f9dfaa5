import { codeBlock, create } from "../../../infra/documentation/browser/elements.ts";
import type { Message, ShownCall, ShownRequest } from "../model.ts";
import { clientCallOf, curlOf } from "./copy.ts";
import { button, edit, note, readDocument, send } from "./shared.ts";

export function detailOf(request: ShownRequest): HTMLElement {
  const { id, method, route, milliseconds, calls, lines } = request;
  const about = note(route ? `Route ${method} ${route}` : "No function responded", " · request ");
  about.append(create("code", {}, id));
  if (route !== undefined) void addLinks(about, method, route);
  return create(
    "div",
    { className: "detail" },
    about,
    ...(method === "JOB" ? [] : [actions(request)]),
    create(
      "div",
      { className: "actions" },
      block("Request", request.request),
      block("Response", request.response),
    ),
    create("h2", {}, "Calls to AWS"),
    ...(calls.length > 0 ? calls.map((call) => callRow(call, milliseconds)) : [note("None")]),
    create("h2", {}, "Log"),
    create("pre", {}, lines.join("\n") || "No lines"),
  );
}

function actions(shown: ShownRequest): HTMLElement {
  const said = create("span", { role: "status" });
  const saying = (text: string, act: () => Promise<string>) =>
    button(text, async () => {
      said.textContent = await act().catch((error: Error) => error.message);
    });
  const sent = (edited?: Message) =>
    edited ? send(edited).then(() => "Sent: the newest row is its response.") : "";
  const copied = (text: string) => navigator.clipboard.writeText(text).then(() => "Copied");
  return create(
    "div",
    { className: "actions" },
    saying("Send again", async () => sent(shown.request)),
    saying("Edit and send", () => edit(shown.request).then(sent)),
    saying("Copy as curl", () => copied(curlOf(shown))),
    saying("Copy as client call", () => copied(clientCallOf(shown))),
    said,
  );
}

async function addLinks(about: HTMLElement, method: string, route: string): Promise<void> {
  const link = (text: string, href: string) => about.append(" · ", create("a", { href }, text));
  const { paths } = await readDocument();
  const operationId = paths[route]?.[method.toLowerCase()]?.operationId;
  if (operationId) link("documentation", `/docs#${operationId}`);
  const query = new URLSearchParams({ route: `${method} ${route}` });
  const source = await (await fetch(`/_dev/source?${query}`)).text();
  if (source) link(source.replace(/^.*\b(?=functions\/)/, ""), `vscode://file${source}`);
}

function block(title: string, { head, body }: Message): HTMLElement {
  const text = body === "" ? head : `${head}\n\n${body}`;
  return create("section", {}, create("h2", {}, title), codeBlock(text, title, true));
}

/** @param total of the request, in milliseconds */
function callRow(call: ShownCall, total: number): HTMLElement {
  const { title, input, result, isDenied, offset, milliseconds, capacityUnits } = call;
  const time = create("div", { className: "time" });
  time.style.marginLeft = `${Math.min(99, (100 * offset) / total)}%`;
  time.style.width = `${Math.max(1, Math.min(100, (100 * milliseconds) / total))}%`;
  const outcome = create("span", { className: isDenied ? "alert" : "note" }, result);
  const units = `${capacityUnits} ${capacityUnits === 1 ? "unit" : "units"}`;
  const numbers = `${units}, ${milliseconds.toFixed(1)} ms at ${offset.toFixed(0)}`;
  const summary = create("div", { className: "bar" }, create("span", {}, `${title} · `, outcome), numbers);
  return create("div", { className: "call" }, summary, time, create("code", { className: "note" }, input));
}
