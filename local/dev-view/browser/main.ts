import { codeBlock, create, find, findAll } from "../../../infra/documentation/browser/elements.ts";
import { parseJson } from "../../../infra/documentation/parse-json.ts";
import type { LogLine } from "../../log.ts";
import type { ShownCall, ShownRequest } from "../model.ts";

const shownRequests = 500;

const list = find("#requests");
const filter = find<HTMLInputElement>("#filter");
const state = find("#state");
const known = new Set<string>();

const events = new EventSource("/_dev/events");
events.addEventListener("open", () => {
  state.textContent = "Connected";
});
events.addEventListener("error", () => {
  state.textContent = "Disconnected: is npm run dev still running?";
});
events.addEventListener("message", ({ data }) => add(JSON.parse(data)));
filter.addEventListener("input", () => {
  for (const row of findAll("details", list)) applyFilter(row);
});
find("#clear").addEventListener("click", () => list.replaceChildren());

/** @param request which comes again after a reconnection */
function add(request: ShownRequest): void {
  if (known.has(request.id)) return;
  known.add(request.id);
  find("#empty").hidden = true;
  const row = rowOf(request);
  applyFilter(row);
  list.prepend(row);
  if (list.childElementCount > shownRequests) list.lastElementChild?.remove();
}

function rowOf(request: ShownRequest): HTMLDetailsElement {
  const { id, time, method, path, route, status, milliseconds, start, capacityUnits, calls } = request;
  const cell = (text: string, className = "") => create("span", { className, title: text }, text);
  const isDenied = calls.some(({ denial }) => denial !== undefined);
  const summary = create(
    "summary",
    { className: "row" },
    cell(new Date(time).toLocaleTimeString([], { hour12: false }), "quiet"),
    cell(method),
    cell(path),
    cell(String(status), status >= 500 ? "bad" : status >= 400 ? "warn" : "good"),
    cell(`${milliseconds.toFixed(0)} ms`),
    cell(start ?? "–", start === "cold" ? "warn" : "quiet"),
    cell(String(capacityUnits)),
    cell(isDenied ? `${calls.length} ✗` : String(calls.length), isDenied ? "bad" : ""),
  );
  const row = create("details", {}, summary);
  row.dataset.text = [method, path, route ?? "", status, id].join(" ").toLowerCase();
  row.addEventListener("toggle", () => {
    if (row.open) showDetail(row, request);
    else find(".detail", row).remove();
  });
  return row;
}

function showDetail(row: HTMLElement, { id, method, route, calls, lines, ...bodies }: ShownRequest): void {
  row.append(
    create(
      "div",
      { className: "detail" },
      create(
        "p",
        { className: "quiet" },
        `${route ? `Route ${method} ${route}` : "No function responded"} · request `,
        create("code", {}, id),
      ),
      ...bodyOf("Request", bodies.requestBody),
      ...bodyOf("Response", bodies.responseBody),
      create("h2", {}, "Calls to AWS, by the round in which they waited for each other"),
      ...(calls.length > 0 ? calls.map(callRow) : [create("p", { className: "quiet" }, "None")]),
      create("h2", {}, "Log"),
      create("pre", {}, lines.map(formatLine).join("\n") || "No lines"),
    ),
  );
}

function bodyOf(title: string, text: string): readonly HTMLElement[] {
  if (text === "") return [];
  return [create("h2", {}, title), codeBlock(text, `${title} body`, /^[[{"]/.test(text))];
}

/** Without the definition of metrics, which is longer than the rest. */
function formatLine({ source, text }: LogLine): string {
  const entry = parseJson(text);
  const shown = typeof entry === "object" ? JSON.stringify({ ...entry, _aws: undefined }) : text;
  return `[${source}] ${shown}`;
}

function callRow(call: ShownCall): HTMLElement {
  const { operation, targets, round, offset, milliseconds, capacityUnits, statusCode, denial } = call;
  return create(
    "div",
    { className: "call" },
    create(
      "span",
      {},
      `${round}. ${operation} ${targets.join(", ")} ·`,
      denial === undefined
        ? create("span", { className: "quiet" }, statusCode < 400 ? " allowed" : ` allowed, ${statusCode}`)
        : create("span", { className: "bad" }, ` ${denial}`),
    ),
    create("span", {}, `${milliseconds.toFixed(1)} ms, at ${offset.toFixed(1)}`),
    create("span", {}, `${capacityUnits} ${capacityUnits === 1 ? "unit" : "units"}`),
  );
}

function applyFilter(row: HTMLElement): void {
  const words = filter.value.toLowerCase().split(/\s+/);
  row.hidden = !words.every((word) => row.dataset.text?.includes(word));
}
