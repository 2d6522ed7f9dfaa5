import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, it, onTestFinished } from "vitest";
import { copyWholeProject, shell } from "./support/programs/project-copy.ts";
import { temporaryDirectory } from "./support/temporary-directory.ts";

let copy: string;
beforeEach(() => {
  copy = join(temporaryDirectory(onTestFinished), "project");
  copyWholeProject(copy);
});

const run = (commands: string) => shell(copy, commands);

/** What is generated, and what is served besides. */
const generated = ["docs/openapi.json", "client/openapi.d.ts", "docs/examples/requests.http"];
const pages = [...generated, "docs/first-calls.md", "README.md"];
const showServed = `import { llmsText } from "./infra/documentation/llms.ts";
import { documentationPage } from "./infra/documentation/page.ts";
import { openApiDocument } from "./infra/openapi/document.ts";
import { allRoutes } from "./functions/definitions.ts";
const document = openApiDocument(allRoutes);
console.log(llmsText(document, allRoutes), documentationPage(document));`;

// All four together, with an area of the service's own: .ci/fork.
it.each([
  ["items"],
  ["todos"],
  ["posts"],
  ["orders,products"],
  ["users,posts,versions", "(?<!admin/)users(?!/)|posts|api/v\\d"],
  ["versions,demonstration", "api/v\\d|errors/\\{|demonstration"],
])("a service without %s names it nowhere", (areas, names = areas.replace(",", "|")) => {
  run(`npm run --silent remove -- ${areas}
    npm run --silent rename -- --name rooms-api --title Rooms --summary "Rooms over HTTP"
    git checkout -q -- functions/${areas.split(",")[0]}
    npm run --silent remove
    npx tsc -p . --singleThreaded
    npm run --silent generate -- document`);
  const served = run(`node --input-type=module-typescript -e '${showServed}'`);
  const words = new RegExp(`.*(/(${names})\\b|\\b(${names}) ?[,.:]|Resource API|resource-api).*`, "g");
  const named = [...pages.map((page) => readFileSync(join(copy, page), "utf8")), served].flatMap(
    (text) => text.match(words) ?? [],
  );
  // A field of carts and pages in the client's types.
  expect(named.filter((line) => !/^ {4}items: Schemas\["\w+"\]\[\];$/.test(line))).toEqual([]);
});

it("npm run remove refuses what others need, and what there is not", () => {
  expect(() => run("npm run --silent remove -- accounts")).toThrow("accounts is part of the base");
  expect(() => run("npm run --silent remove -- users,posts")).toThrow("versions uses users: remove both.");
  expect(() => run("npm run --silent remove -- products")).toThrow("orders uses products: remove both.");
  expect(() => run("npm run --silent remove -- todo")).toThrow('There is no area "todo".');
});

it("forgotten examples are named where they are declared", () => {
  run("sed -i 's/query: { q: \"ada\" }//' functions/users/area.ts");
  expect(() => run("npm run --silent generate -- document")).toThrow(
    "GET /users/search requires ?q=: give it",
  );
});
