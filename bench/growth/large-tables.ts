import { execFile } from "node:child_process";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { chooseEngine } from "../../local/database/engine-programs.ts";
import type { TableModel } from "../../local/stack/model.ts";
import { createSynthesizer, defaultApp } from "../../local/stack/synthesize.ts";
import { readTemplate } from "../../local/stack/template.ts";
import { filledTables, writeExport } from "./records.ts";

/** The models of the stack's tables by their name in the code. */
export async function synthesizedTables(directory: string): Promise<ReadonlyMap<string, TableModel>> {
  const outdir = join(directory, "assembly");
  await mkdir(outdir);
  const synthesizer = createSynthesizer(defaultApp, { stage: "dev", outdir });
  const { tables } = readTemplate(await synthesizer.synthesize());
  await synthesizer.close();
  return new Map(
    filledTables.map((name) => {
      const table = tables.find(({ label }) => label.toLowerCase() === `${name}table`);
      if (table === undefined) throw new Error(`The stack has no table of ${name}`);
      return [name, table];
    }),
  );
}

/** Fills an engine's directory with records of tables. */
export async function importTables(
  directory: string,
  tables: ReadonlyMap<string, TableModel>,
  size: number,
): Promise<void> {
  const source = join(directory, "export");
  for (const [name, { request }] of tables) await writeExport(source, name, request.TableName, size);
  const schema = join(directory, "schema.json");
  await writeFile(schema, JSON.stringify([...tables.values()].map(({ request }) => ({ Table: request }))));
  const [binary = ""] = chooseEngine().command("", 0, undefined);
  const output = join(directory, "dynoxide.db");
  await promisify(execFile)(binary, ["import", "--source", source, "--schema", schema, "--output", output]);
  await rm(source, { recursive: true });
}
