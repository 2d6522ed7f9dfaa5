import { create, find } from "../../../infra/documentation/browser/elements.ts";
import type { ShownRequest } from "../model.ts";
import { detailOf } from "./detail.ts";
import { rowWith } from "./shared.ts";

/** How many requests are shown, and kept for a reload of the page: a browser keeps 5 MB. */
const maxRequests = 200;

export function showRequests(): void {
  const list = find("#rows");
  const filter = find<HTMLInputElement>("#filter");
  const showState = (text: string) => find("#state").replaceChildren(text);
  const known = new Map<string, { readonly request: ShownRequest; readonly row: HTMLElement }>();
  const isWanted = (request: ShownRequest) => {
    // Everything that is shown of it, without the escapes of JSON.
    const text = JSON.stringify(request).replaceAll("\\n", " ").replaceAll("\\", "").toLowerCase();
    const words = filter.value.toLowerCase().split(/\s+/);
    return words.every((word) => text.includes(word));
  };

  /** @param request which comes again after a reconnection */
  function add(request: ShownRequest): void {
    if (known.has(request.id)) return;
    const row = rowOf(request);
    row.hidden = !isWanted(request);
    known.set(request.id, { request, row });
    find("#empty").hidden = true;
    list.prepend(row);
    for (const [id, { row }] of [...known].slice(0, -maxRequests)) {
      known.delete(id);
      row.remove();
    }
  }

  find("#empty code").textContent = `curl ${location.host}/todos`;
  for (const request of JSON.parse(sessionStorage.requests ?? "[]")) add(request);
  addEventListener("pagehide", () => {
    sessionStorage.requests = JSON.stringify([...known.values()].map(({ request }) => request));
  });
  const events = new EventSource("/_dev/events");
  events.onopen = () => showState("Connected");
  events.onerror = () => showState("Disconnected: is npm run dev still running?");
  events.onmessage = ({ data }) => add(JSON.parse(data));
  filter.oninput = () => {
    for (const { request, row } of known.values()) row.hidden = !isWanted(request);
  };
  find("#clear").onclick = () => {
    list.replaceChildren();
    known.clear();
  };
}

function rowOf(request: ShownRequest): HTMLElement {
  const { time, method, target, status, milliseconds, start, capacityUnits, calls } = request;
  const cell = (text: string, className = "") => create("span", { className, title: text }, text);
  const isDenied = calls.some((call) => call.isDenied);
  const cells = [
    cell(new Date(time).toLocaleTimeString([], { hour12: false }), "note"),
    cell(method),
    cell(target, "wide"),
    cell(String(status), `s${String(status)[0]}`),
    cell(`${milliseconds.toFixed(0)} ms`),
    cell(start ?? "–", "note"),
    cell(String(capacityUnits)),
    cell(`${calls.length}${isDenied ? " ✗" : ""}`, isDenied ? "alert" : ""),
  ];
  return rowWith("row", cells, () => detailOf(request));
}
