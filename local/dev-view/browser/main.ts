import { create, find } from "../../../infra/documentation/browser/elements.ts";
import type { ShownRequest } from "../model.ts";
import { detailOf, searchText } from "./detail.ts";

const shownRequests = 500;

/** How many requests are kept for a reload of the page: a browser keeps 5 MB. */
const keptRequests = 100;

const storageKey = "requests";

const list = find("#requests");
const filter = find<HTMLInputElement>("#filter");
const state = find("#state");
const known = new Map<string, { readonly request: ShownRequest; readonly text: string }>();

for (const request of JSON.parse(sessionStorage.getItem(storageKey) ?? "[]") as ShownRequest[]) add(request);
addEventListener("pagehide", () => {
  const kept = [...known.values()].slice(-keptRequests).map(({ request }) => request);
  sessionStorage.setItem(storageKey, JSON.stringify(kept));
});

const events = new EventSource("/_dev/events");
events.addEventListener("open", () => {
  state.textContent = "Connected";
});
events.addEventListener("error", () => {
  state.textContent = "Disconnected: is npm run dev still running?";
});
events.addEventListener("message", ({ data }) => add(JSON.parse(data)));
filter.addEventListener("input", () => {
  for (const row of list.children) applyFilter(row as HTMLElement);
});
find("#clear").addEventListener("click", () => {
  list.replaceChildren();
  known.clear();
});

/** @param request which comes again after a reconnection */
function add(request: ShownRequest): void {
  if (known.has(request.id)) return;
  known.set(request.id, { request, text: searchText(request) });
  find("#empty").hidden = true;
  const row = rowOf(request);
  applyFilter(row);
  list.prepend(row);
  const oldest = list.lastElementChild as HTMLElement;
  if (list.childElementCount <= shownRequests) return;
  known.delete(oldest.dataset.id ?? "");
  oldest.remove();
}

function rowOf(request: ShownRequest): HTMLDetailsElement {
  const { id, time, method, target, status, milliseconds, start, capacityUnits, calls } = request;
  const cell = (text: string, className = "") => create("span", { className, title: text }, text);
  const isDenied = calls.some(({ denial }) => denial !== undefined);
  const summary = create(
    "summary",
    { className: "row" },
    cell(new Date(time).toLocaleTimeString([], { hour12: false }), "quiet"),
    cell(method),
    cell(target),
    cell(String(status), status >= 500 ? "bad" : status >= 400 ? "warn" : "good"),
    cell(`${milliseconds.toFixed(0)} ms`),
    cell(start ?? "–", start === "cold" ? "warn" : "quiet"),
    cell(String(capacityUnits)),
    cell(isDenied ? `${calls.length} ✗` : String(calls.length), isDenied ? "bad" : ""),
  );
  const row = create("details", {}, summary);
  row.dataset.id = id;
  row.addEventListener("toggle", () => {
    if (row.open) row.append(detailOf(request));
    else find(".detail", row).remove();
  });
  return row;
}

function applyFilter(row: HTMLElement): void {
  const words = filter.value.toLowerCase().split(/\s+/);
  const text = known.get(row.dataset.id ?? "")?.text ?? "";
  row.hidden = !words.every((word) => text.includes(word));
}
