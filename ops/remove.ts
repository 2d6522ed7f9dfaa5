import { existsSync, globSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { runCommand } from "../cli/command.ts";
import { CommandError, UsageError } from "../cli/errors.ts";

const base = ["accounts", "api-key", "login", "system"];
/** Areas that use another one. */
const used = { orders: "products", posts: "users", versions: "users" };

/** What belongs to an area without having its name. */
const more: Readonly<Record<string, readonly string[]>> = {
  orders: [
    "lib/domain/{cart,orders}.ts",
    "test/client/fixtures/first-order.ts",
    "test/lib/domain/orders.test.ts",
  ],
  posts: ["test/api/nested-posts.test.ts"],
  // They need lists, pages and changes of records, as users have them.
  users: [
    "lib/validators/users-list.ts",
    "test/{functions/issuer,own-constructs}.nightly.test.ts",
    "test/api/protocol/{compression,unknown-ids}.test.ts",
    "test/{infra/access-rules,lib/validators/user,support/api/conformance}.test.ts",
    "test/{local/database/recovery,ops/records,ops/restore}.slow.test.ts",
    "test/page/{dev-view,documentation}.test.ts",
  ],
  // They need an error on purpose.
  demonstration: [
    "test/api/protocol/problem-details.test.ts",
    "test/infra/monitoring/{dashboard,log-metrics}.test.ts",
    "test/page/dev-view.test.ts",
  ],
};

/** What uses several of the project's areas. */
const shared = [
  "{bench/victims,test/bench/victims.nightly}.*",
  "examples/shop",
  "test/{contract,readme}.test.ts",
  "test/api/protocol/{encoded-body,problem-details}.test.ts",
  "test/histories",
  "test/ops/least-privilege.slow.test.ts",
  "test/{page/shop.test.ts,proxy}",
];
/** What uses all of them, or tries how they are removed. */
const ownTests = [
  ".{ci/fork,github/workflows/fork.yml}",
  "test/{documentation-paths,functions/damaged-records}.test.ts",
  "test/own-areas.nightly.test.ts",
];

await runCommand({
  name: "npm run remove",
  description: `Removes areas: their files, and what other files and pages say about them. Then check the
project (docs/your-own-service.md). accounts, login, api-key and system are the base of the service.
Without areas, it removes what a merge brought back of the areas in package.json's removedAreas.`,
  arguments: { areas: { type: "string", description: "such as todos or todos,posts" } },
  async run({ areas }) {
    const manifest = JSON.parse(readFileSync("package.json", "utf8"));
    const earlier: readonly string[] = manifest.removedAreas ?? [];
    const names = [...new Set([...earlier, ...(areas?.split(",") ?? [])])];
    refuseOthers(names, earlier);

    const isShared = names.some((name) => ["orders", "posts", "products", "todos"].includes(name));
    const files = globSync([...names.flatMap(filesOf), ...ownTests, ...(isShared ? shared : [])]);
    for (const file of files) rmSync(file, { recursive: true, force: true });
    for (const name of names) {
      // Accounts are called users, too.
      const noun = name === "users" ? "user record" : singular(name);
      editLines(["functions/areas.ts", "functions/api-key/handled-areas.ts"], new RegExp(name, "i"));
      editLines(["docs/specification.md"], new RegExp(`^\\| .* \\| ${name} \\|`));
      removeSections("docs/first-calls.md", noun);
      // "Version" means another thing in the README.
      if (name !== "versions") removeParts("README.md", noun);
      // Other areas have pages as those of items.
      if (name !== "items") removeSections("docs/specification.md", noun);
    }
    writeFileSync("package.json", `${JSON.stringify({ ...manifest, removedAreas: names }, undefined, 2)}\n`);
    process.stdout.write(`Removed ${files.length} files and folders of ${names.join(", ")}.\n`);
    return 0;
  },
});

/** Refuses areas that the service does not have, and areas that it needs. */
function refuseOthers(names: readonly string[], earlier: readonly string[]): void {
  if (names.length === 0) throw new UsageError("Missing areas, such as todos or todos,posts.");
  const kept = names.find((name) => base.includes(name));
  if (kept !== undefined) throw new UsageError(`${kept} is part of the base of the service.`);
  for (const [name, other] of Object.entries(used))
    if (names.includes(other) && !names.includes(name) && existsSync(`functions/${name}`))
      throw new UsageError(`${name} uses ${other}: remove both.`);
  const missing = names.find((name) => !earlier.includes(name) && !existsSync(`functions/${name}`));
  if (missing !== undefined) throw new CommandError(`There is no area "${missing}". Nothing was changed.`);
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
    ...(more[name] ?? []),
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

/** Removes the paragraphs, blocks, list items and table rows of a page that name an area. */
function removeParts(page: string, noun: string): void {
  const parts = /^```[\s\S]*?\n```\n|^(?:\d\. |- |\|).*\n(?: .*\n)*|^(?:(?!```|\d\. |- |\|).+\n)+|^\n+/gm;
  // Not the method POST.
  const named = new RegExp(`\\b(${noun}|${noun.charAt(0).toUpperCase()}${noun.slice(1)})s?\\b`);
  const text = readFileSync(page, "utf8")
    .match(parts)
    ?.filter((part) => !named.test(part));
  writeFileSync(page, text?.join("").replaceAll(/\n{3,}/g, "\n\n") ?? "");
}

/** Removes the sections of a page whose headings name an area, up to the next heading of their level. */
function removeSections(page: string, noun: string): void {
  const heading = new RegExp(`^(#{2,3}) (?=.*\\b${noun}s?\\b)`, "i");
  let level = 0;
  const kept = readFileSync(page, "utf8")
    .split(/^(?=#{2,3} )/m)
    .filter((section) => {
      const [marks = ""] = /^#{2,3}/.exec(section) ?? [];
      if (level > 0 && marks.length > level) return false;
      level = heading.exec(section)?.[1]?.length ?? 0;
      return level === 0;
    });
  writeFileSync(page, kept.join(""));
}
