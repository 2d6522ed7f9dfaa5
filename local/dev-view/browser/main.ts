import { create, find, findAll } from "../../../infra/documentation/browser/elements.ts";
import { showData } from "./data.ts";
import { showRequests } from "./requests.ts";
import { useKeys } from "./shared.ts";

const isData = location.pathname.endsWith("/data");
find(isData ? "#requests" : "#data").remove();
document.title = isData ? "Data" : "Requests";
for (const link of findAll("header a"))
  if (link.textContent === document.title) link.replaceWith(create("b", {}, document.title));
if (isData) showData().catch((error: Error) => find("#said").append(`No data: ${error.message}`));
else showRequests();
useKeys();
