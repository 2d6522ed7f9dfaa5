import { create, find } from "../../../infra/documentation/browser/elements.ts";
import type { Message, ShownRequest } from "../model.ts";
import { detailOf } from "./detail.ts";
import { closePane, openPane, post } from "./shared.ts";

/** How many requests are shown, and kept for a reload of the page: a browser keeps 5 MB. */
const maxRequests = 200;

export function showRequests(): void {
  const list = find("#rows");
  const filters = find<HTMLFormElement>("#filters");
  const known = new Map<string, { readonly request: ShownRequest; readonly row: HTMLElement }>();

  function show(): void {
    for (const { request, row } of known.values()) row.hidden = !isWanted(request, new FormData(filters));
    const count = [...known.values()].filter(({ row }) => !row.hidden).length;
    find("#count").textContent = `${count} of ${known.size}`;
    find("#empty").hidden = known.size > 0;
    find("#none").hidden = count > 0 || known.size === 0;
  }

  function add(request: ShownRequest): void {
    if (known.has(request.id)) return;
    const row = rowOf(request);
    known.set(request.id, { request, row });
    list.prepend(row);
    for (const [id, { row }] of [...known].slice(0, -maxRequests)) {
      known.delete(id);
      row.remove();
    }
    const { options } = find<HTMLSelectElement>("[name=function]");
    const { function: by } = request;
    if (by && ![...options].some(({ value }) => value === by)) options.add(new Option(by));
    show();
  }

  for (const request of JSON.parse(sessionStorage.requests ?? "[]")) add(request);
  addEventListener("pagehide", () => {
    sessionStorage.requests = JSON.stringify([...known.values()].map(({ request }) => request));
  });
  const state = find("#state");
  const events = new EventSource("/_dev/events");
  events.onopen = () => state.replaceChildren("Connected");
  events.onerror = () => state.replaceChildren("Disconnected: is npm run dev still running?");
  events.onmessage = ({ data }) => add(JSON.parse(data));
  events.addEventListener("clear", () => {
    list.replaceChildren();
    known.clear();
    closePane();
    show();
  });
  filters.oninput = show;
  filters.onreset = () => setTimeout(show);
  filters.onsubmit = () => false;
  find("#clear").onclick = () => post("/clear").catch(({ message }) => state.replaceChildren(message));
  find("#empty code").textContent = `curl ${location.origin}/todos`;
  setInterval(showAges, 1000);
  show();
}

/** The text is that of the request, the response and the log, without the names of fields. */
function isWanted(shown: ShownRequest, filters: FormData): boolean {
  const { method, status, function: by, request, response, lines } = shown;
  const facts = { method, status: `${String(status)[0]}xx`, function: by };
  const textOf = ({ head, body }: Message) => head + body.replaceAll(/^\s*"(?:[^"\\]|\\.)*": /gm, "\n");
  const text = [textOf(request), textOf(response), ...lines.map((line) => line.text)].join("\n");
  const words = String(filters.get("text")).toLowerCase().split(/\s+/);
  const hasFact = ([name, fact]: [string, unknown]) => ["", fact].includes(String(filters.get(name)));
  return Object.entries(facts).every(hasFact) && words.every((word) => text.toLowerCase().includes(word));
}

function rowOf(request: ShownRequest): HTMLElement {
  const { time, method, target, status, milliseconds, start = "–", capacityUnits, calls } = request;
  const open = create("button", { type: "button", className: "open", title: target }, target);
  const cells: readonly (readonly [className: string, content: unknown])[] = [
    [status < 400 ? "" : `s${String(status)[0]}`, status],
    ["", method],
    ["wide", open],
    ["extra note", request.function ?? "–"],
    ["extra number", `${milliseconds.toFixed(0)} ms`],
    ["extra note", start],
    ["extra number", capacityUnits],
    calls.some((call) => call.isDenied)
      ? ["extra number alert", `${calls.length} ✗`]
      : ["extra number", calls.length],
    ["number note", create("time", { dateTime: time, title: time }, "now")],
  ];
  const columns = cells.map(([className, content]) =>
    create("td", { className }, content instanceof Node ? content : String(content)),
  );
  return create("tr", { onclick: () => openPane(open, () => detailOf(request)) }, ...columns);
}

function showAges(): void {
  for (const time of document.querySelectorAll("time")) {
    const seconds = Math.max(0, (Date.now() - Date.parse(time.dateTime)) / 1000);
    const [size, unit] = seconds < 60 ? [1, "s"] : seconds < 3600 ? [60, "min"] : [3600, "h"];
    time.textContent = `${Math.floor(seconds / size)} ${unit} ago`;
  }
}
