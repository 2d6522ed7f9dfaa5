import { existsSync, globSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import { runCommand } from "../cli/command.ts";
import { CommandError, UsageError } from "../cli/errors.ts";

const base = ["accounts", "api-key", "login", "system"];

/** Files without an area's name, and the areas of which they need each. */
const needed: readonly (readonly [areas: string, ...files: string[]])[] = [
  [
    "orders",
    "lib/domain/{cart,orders}.ts",
    "test/client/fixtures/first-order.ts",
    "test/lib/domain/cart.test.ts",
  ],
  ["posts users", "test/api/nested-posts.test.ts"],
  [
    "users",
    "lib/validators/users-list.ts",
    "test/api/protocol/{client,compression,cursors,empty-filters,error-examples,links,unknown-ids}.test.ts",
    "test/client/{client.test,types.slow.test,fixtures/calls,fixtures/first-user}.*",
    "test/gateway/access.test.ts",
    "test/functions/{access.slow,issuer.slow,read-budgets,repair/repair-and-report}.test.ts",
    "test/infra/{roles,rollout,stages,visitor}.test.ts",
    "test/infra/{build/documentation,documentation/page,gateway/route-limits,openapi/document,openapi/examples,openapi/operations}.test.ts",
    "test/infra/monitoring/{dashboard,log-metrics}.test.ts",
    "test/lib/{records/record-sizes,validators/user}.test.ts",
    "test/local/{cli/settings.test,database/recovery.slow.test}.ts",
    "test/ops/{backup,person.slow,records.slow,recovery.slow,restore.slow,smoke.slow,stage}.test.ts",
    "test/page/{dev-view,documentation}.test.ts",
    "test/{proxy/nginx,secrecy.slow,support/api/conformance}.test.ts",
  ],
  [
    "orders posts products todos users",
    "{bench/victims,test/bench/victims.slow}.*",
    "examples/shop",
    "test/{contract,documentation-paths,readme}.test.ts",
    "test/api/protocol/{encoded-body,problem-details}.test.ts",
    "test/histories",
    "test/ops/least-privilege.slow.test.ts",
    "test/page/shop.test.ts",
  ],
];
const markedFiles = ["README.md", "client/index.d.ts", "docs/first-calls.md", "docs/specification.md"];
/** What uses all areas, or tries how they are removed. */
const ownTests = [
  ".{ci/fork,github/workflows/fork.yml}",
  "test/functions/damaged-records.test.ts",
  "test/own-areas.slow.test.ts",
];

await runCommand({
  name: "npm run remove",
  description: `Removes areas: their files, by their names, and what other files and pages say of them. Then check the
project (docs/your-own-service.md). accounts, login, api-key and system are the base of the service.
Without areas, it removes again what a merge brought back of those in package.json's removedAreas.`,
  arguments: { areas: { type: "string", description: "such as todos or todos,posts" } },
  async run({ areas }) {
    const manifest = JSON.parse(readFileSync("package.json", "utf8"));
    const earlier: readonly string[] = manifest.removedAreas ?? [];
    const names = [...new Set([...earlier, ...(areas?.split(",") ?? [])])];
    if (names.length === 0) throw new UsageError("Missing areas, such as todos or todos,posts.");
    const kept = names.find((name) => base.includes(name));
    if (kept !== undefined) throw new UsageError(`${kept} is part of the base of the service.`);
    const missing = names.find((name) => !earlier.includes(name) && !existsSync(`functions/${name}`));
    if (missing !== undefined) throw new CommandError(`There is no area "${missing}". Nothing was changed.`);
    refuseUsed(names);
    const others = needed.flatMap(([areas, ...files]) =>
      areas.split(" ").some((area) => names.includes(area)) ? files : [],
    );
    const files = globSync([...names.flatMap(filesOf), ...others, ...ownTests]);
    for (const file of files) rmSync(file, { recursive: true, force: true });
    for (const name of names) {
      editLines(["functions/areas.ts", "local/demo/load-demo.ts"], new RegExp(name, "i"));
      editLines(["docs/specification.md"], new RegExp(`^\\| .* \\| ${name} \\|`));
    }
    for (const file of markedFiles) removeMarked(file, names);
    writeFileSync("package.json", `${JSON.stringify({ ...manifest, removedAreas: names }, undefined, 2)}\n`);
    process.stdout.write(`Removed ${files.length} files and folders of ${names.join(", ")}.\n`);
    return 0;
  },
});

/** @throws UsageError if an area that stays uses the table of one that goes */
function refuseUsed(names: readonly string[]): void {
  for (const file of globSync("functions/*/*.ts")) {
    const area = basename(dirname(file));
    const used = names.find((name) => readFileSync(file, "utf8").includes(`tableName("${name}")`));
    if (used !== undefined && !names.includes(area))
      throw new UsageError(`${area} uses ${used}: remove both.`);
  }
}

function filesOf(name: string): string[] {
  return [
    `functions/${name}`,
    `lib/repositories/${name}{,.ts}`,
    `lib/validators/${singular(name)}.ts`,
    `local/demo/${name}.*`,
    `bench/${name}`,
    `test/{api,functions,lib/repositories}/${name}{,.test.ts}`,
    `test/client/fixtures/${name}.ts`,
  ];
}

function singular(name: string): string {
  return name.replace(/s$/, "");
}

/** Removes the lines that match. */
function editLines(files: readonly string[], pattern: RegExp): void {
  for (const file of files.filter((each) => existsSync(each))) {
    const lines = readFileSync(file, "utf8").split("\n");
    writeFileSync(file, lines.filter((line) => !pattern.test(line)).join("\n"));
  }
}

/** Removes the parts of a file between the comments `areas: orders, products` and `end`. */
function removeMarked(file: string, names: readonly string[]): void {
  const marked = /(?:<!--|\/\*) areas: (.+?) (?:-->|\*\/)[\s\S]*?(?:<!--|\/\*) end (?:-->|\*\/)\n*/g;
  const kept = readFileSync(file, "utf8").replaceAll(marked, (part, areas: string) =>
    areas.split(", ").some((area) => names.includes(area)) ? "" : part,
  );
  writeFileSync(file, kept);
}
