import { find, findAll } from "../../../infra/documentation/browser/elements.ts";
import { showData } from "./data.ts";
import { showRequests } from "./requests.ts";

const isData = location.pathname.endsWith("/data");
const name = isData ? "Data" : "Requests";
document.title = name;
find("h1").textContent = name;
for (const link of findAll("header a")) if (link.textContent === name) link.remove();
find("main").append(find<HTMLTemplateElement>(isData ? "#data-page" : "#requests-page").content);
if (isData) showData().catch((error: Error) => find("#said").append(error.message));
else showRequests();
