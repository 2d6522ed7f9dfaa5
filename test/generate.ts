import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { runCommand } from "../cli/command.ts";
import packageFile from "../package.json" with { type: "json" };
import { contractFile, contractOf, contractText } from "./support/contract/contract.ts";
import { document, documentFiles } from "./support/infra/openapi.ts";
import { writeRelease } from "./support/release.ts";
import { requestFile } from "./support/request-file.ts";

await runCommand({
  name: "npm run generate",
  description: `Writes the files that are generated from code:

  document   docs/openapi.json and client/openapi.d.ts, from the route declarations, and
             docs/examples/requests.http, from the example requests
  costs      calls.md, prices.md and limits.md in docs/figures, from measurements, which take a minute

Tests fail if one of these files is outdated.

  contract   for a release: what docs/openapi.json promises, in test/fixtures/contract, which later versions keep
  release    for a release: its functions, in test/fixtures/release.br, beside which later versions run`,
  arguments: {
    part: {
      type: "choice",
      choices: ["document", "costs", "contract", "release"],
      description: "by default document and costs",
    },
  },
  run: async ({ part }) => {
    process.chdir(fileURLToPath(new URL("..", import.meta.url)));
    const { version } = packageFile;
    if (part === "contract") writeFileSync(contractFile(version), contractText(contractOf(document)));
    if (part === "release") await writeRelease(version);
    if (part === "document" || part === undefined) {
      for (const [file, text] of Object.entries(documentFiles())) writeFileSync(file, text);
      writeFileSync("docs/examples/requests.http", await requestFile());
    }
    return part === "costs" || part === undefined ? await writeCosts() : 0;
  },
});

/** The tests that measure costs write the pages. @returns the exit code */
async function writeCosts(): Promise<number> {
  const vitest = "node_modules/vitest/vitest.mjs run --config test/vitest.config.ts --root . --project";
  const env = { ...process.env, GENERATE: "true" };
  const args = [...vitest.split(" "), "slow: costs"];
  const [code] = await once(spawn(process.execPath, args, { stdio: "inherit", env }), "exit");
  return code ?? 1;
}
