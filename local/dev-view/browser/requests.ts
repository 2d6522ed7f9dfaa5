import { create, find } from "../../../infra/documentation/browser/elements.ts";
import type { ShownRequest } from "../model.ts";
import { detailOf, searchText } from "./detail.ts";
import { rowWith } from "./shared.ts";

const shownRequests = 500;

/** How many requests are kept for a reload of the page: a browser keeps 5 MB. */
const keptRequests = 100;

const storageKey = "requests";

export function showRequests(): void {
  const list = find("#requests");
  const filter = find<HTMLInputElement>("#filter");
  const showState = (text: string) => find("#state").replaceChildren(text);
  const known = new Map<
    string,
    { readonly request: ShownRequest; readonly row: HTMLElement; text: string }
  >();

  function applyFilter({ row, text }: { readonly row: HTMLElement; readonly text: string }): void {
    row.hidden = !filter.value
      .toLowerCase()
      .split(/\s+/)
      .every((word) => text.includes(word));
  }

  /** @param request which comes again after a reconnection */
  function add(request: ShownRequest): void {
    if (known.has(request.id)) return;
    const added = { request, row: rowOf(request), text: searchText(request) };
    known.set(request.id, added);
    find("#empty").hidden = true;
    applyFilter(added);
    list.prepend(added.row);
    for (const [id, { row }] of [...known].slice(0, -shownRequests)) {
      known.delete(id);
      row.remove();
    }
  }

  for (const request of JSON.parse(sessionStorage.getItem(storageKey) ?? "[]") as ShownRequest[])
    add(request);
  addEventListener("pagehide", () => {
    const kept = [...known.values()].slice(-keptRequests).map(({ request }) => request);
    sessionStorage.setItem(storageKey, JSON.stringify(kept));
  });
  const events = new EventSource("/_dev/events");
  events.onopen = () => showState("Connected");
  events.onerror = () => showState("Disconnected: is npm run dev still running?");
  events.onmessage = ({ data }) => add(JSON.parse(data));
  filter.oninput = () => {
    for (const each of known.values()) applyFilter(each);
  };
  find("#clear").onclick = () => {
    list.replaceChildren();
    known.clear();
  };
}

function rowOf(request: ShownRequest): HTMLDetailsElement {
  const { time, method, target, status, milliseconds, start, capacityUnits, calls } = request;
  const cell = (text: string, className = "") => create("span", { className, title: text }, text);
  const isDenied = calls.some((call) => call.isDenied);
  const cells = [
    cell(new Date(time).toLocaleTimeString([], { hour12: false }), "note"),
    cell(method),
    cell(target),
    cell(String(status), `s${String(status)[0]}`),
    cell(`${milliseconds.toFixed(0)} ms`),
    cell(start ?? "–", "note"),
    cell(String(capacityUnits)),
    cell(isDenied ? `${calls.length} ✗` : String(calls.length), isDenied ? "alert" : ""),
  ];
  return rowWith("row", cells, () => detailOf(request));
}
