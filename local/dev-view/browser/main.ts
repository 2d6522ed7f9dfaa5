import { find, findAll } from "../../../infra/documentation/browser/elements.ts";
import { showData } from "./data.ts";
import { showRequests } from "./requests.ts";

const isData = location.pathname.endsWith("/data");
document.title = isData ? "Data" : "Requests";
find("h1").textContent = document.title;
for (const link of findAll("header a")) if (link.textContent === document.title) link.remove();
find(isData ? "#data" : "#requests").hidden = false;
if (isData) showData().catch((error: Error) => find("#said").append(error.message));
else showRequests();
