import { create, find, findAll } from "../../../infra/documentation/browser/elements.ts";
import { showRecords } from "./data.ts";
import { showRequests } from "./requests.ts";
import { closePane } from "./shared.ts";

const isData = location.pathname.endsWith("/data");
find(isData ? "#requests" : "#data").remove();
document.title = isData ? "Data" : "Requests";
for (const link of findAll("header a"))
  if (link.textContent === document.title) link.replaceWith(create("b", {}, document.title));
if (isData) showRecords().catch((error: Error) => find("#said").append(`No data: ${error.message}`));
else showRequests();

addEventListener("keydown", (event) => {
  if (event.key === "Escape") closePane();
  const rows = findAll("tbody tr:not([hidden]) .open");
  const at = rows.indexOf(document.activeElement as HTMLElement);
  const next = rows[at + ({ ArrowDown: 1, ArrowUp: -1 }[event.key] ?? 0)];
  if (at < 0 || next === undefined || next === rows[at]) return;
  event.preventDefault();
  if (find("main").className === "split") next.click();
  else next.focus();
});
