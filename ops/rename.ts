import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { runCommand } from "../cli/command.ts";
import { CommandError, UsageError } from "../cli/errors.ts";

/** Tell what was released under the old name, or whose work it is. */
const keptFiles = [":!CHANGELOG.md", ":!*LICENSE"];

await runCommand({
  name: "npm run rename",
  description: `Names the service, before its first deployment: stacks, tables, metrics and the client's package get the
name, the documentation its title and summary. They are in package.json; all other files with the old name are
changed. Then check the project (docs/your-own-service.md).
Without --name, it renames what a merge has brought that is not committed yet.`,
  options: {
    name: { type: "string", placeholder: "name", description: "such as rooms-api" },
    title: { type: "string", placeholder: "text", description: 'of the documentation, such as "Rooms"' },
    summary: { type: "string", placeholder: "text", description: "what the service offers, in one sentence" },
  },
  async run({ name: newName, title, summary }) {
    const old = JSON.parse(readFileSync("package.json", "utf8")) as { readonly name: string };
    const name = newName ?? old.name;
    const earlier = newName === undefined ? mergedName() : old.name;
    if (!/^[a-z][a-z\d]*(-[a-z\d]+)*$/.test(name) || name.length > 32)
      throw new UsageError("--name must be at most 32 lower-case letters, digits and single dashes.");
    // Another rename would change these as well.
    const [taken] = filesWith(name, "functions", "lib", "infra");
    if (taken !== undefined && newName !== undefined)
      throw new CommandError(`${taken} has the word "${name}": choose another name. Nothing was changed.`);
    const oldName = new RegExp(`(?<![\\w-])${earlier}(?!\\w)`, "g");
    const files = filesWith(earlier, ".");
    for (const file of files) writeFileSync(file, readFileSync(file, "utf8").replaceAll(oldName, name));
    const text = { ...old, name, ...(title && { title }), ...(summary && { description: summary }) };
    writeFileSync("package.json", `${JSON.stringify(text, undefined, 2)}\n`);
    process.stdout.write(`Changed ${new Set([...files, "package.json"]).size} files.\n`);
    return 0;
  },
});

/** The name of the service in what is being merged. */
function mergedName(): string {
  const { status, stdout } = spawnSync("git", ["show", "MERGE_HEAD:package.json"], { encoding: "utf8" });
  if (status !== 0)
    throw new UsageError("Missing --name, such as rooms-api, as there is no merge in progress.");
  return JSON.parse(stdout).name;
}

/** The text files in folders of the project that have a word, which may be a part of a longer one. */
function filesWith(word: string, ...folders: string[]): string[] {
  const args = ["ls-files", "-z", "-co", "--exclude-standard", ...folders, ...keptFiles];
  const files = execFileSync("git", args, { encoding: "utf8" });
  return files.split("\0").filter((file) => {
    if (file === "" || !existsSync(file)) return false;
    const text = readFileSync(file);
    return !text.includes(0) && text.includes(word);
  });
}
