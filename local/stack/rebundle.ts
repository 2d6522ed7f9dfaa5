import { existsSync, readFileSync, renameSync } from "node:fs";
import { cp, rm } from "node:fs/promises";
import { join } from "node:path";
import { FileSystem } from "aws-cdk-lib/core";
import { type BuildContext, context } from "esbuild";
import { CommandError } from "../../cli/errors.ts";
import { bundleFunctions, entryOf } from "../../infra/build/bundle.ts";
import type { MetafileOptions } from "../../infra/build/run-esbuild.ts";
import { projectRoot } from "./assembly-cache.ts";
import { describeCodeError } from "./code-error.ts";
import type { FunctionModel } from "./model.ts";
import { sourceRoot } from "./synthesize.ts";

/** esbuild keeps what it read for each. More are left to the synthesis, which bundles them at once. */
const MAX_FUNCTIONS = 4;

/**
 * Bundles functions again that were made from files which have changed, unless there are many: one after the other, so
 * that the first is served in half the time, beginning with those of the files' areas.
 *
 * @param files relative to the project, with slashes, as source maps have them
 * @yields a function whose code is another one now, in a directory that the CDK would name alike
 * @throws {CommandError} with all compile errors and their locations in one line
 */
export async function* rebundle(
  functions: readonly FunctionModel[],
  files: readonly string[],
  assembly: string,
): AsyncGenerator<FunctionModel> {
  const affected = functions.filter((each) => isMadeFrom(each, files));
  if (affected.length > MAX_FUNCTIONS) return;
  const isOwn = ({ bundle }: FunctionModel) =>
    files.some((file) => file.startsWith(`functions/${bundle?.name.replace(/\+.*/, "")}/`));
  for (const model of affected.sort((a, b) => Number(isOwn(b)) - Number(isOwn(a)))) {
    const rebundled = await rebundleOne(model, assembly);
    if (rebundled.codeDirectory !== model.codeDirectory) yield rebundled;
  }
}

function isMadeFrom({ codeDirectory, bundle }: FunctionModel, files: readonly string[]): boolean {
  // An area that was deleted stays in the model until the synthesis.
  if (bundle === undefined || !existsSync(join(projectRoot, entryOf(bundle.name)))) return false;
  const map = readFileSync(join(codeDirectory, "index.mjs.map"), "utf8");
  return files.some((file) => map.includes(JSON.stringify(file)));
}

async function rebundleOne(model: FunctionModel, assembly: string): Promise<FunctionModel> {
  const { name, first } = model.bundle ?? { name: "", first: [] };
  const outdir = join(assembly, "changed", model.logicalId);
  const code = join(outdir, name);
  await rm(code, { recursive: true, force: true });
  // With what is beside the bundle, such as the documentation.
  await cp(model.codeDirectory, code, { recursive: true });
  await bundleFunctions([name], outdir, undefined, first, rebuild).catch((error) => {
    throw new CommandError(describeCodeError(error));
  });
  const codeDirectory = join(assembly, `asset.${FileSystem.fingerprint(code)}`);
  if (!existsSync(codeDirectory)) renameSync(code, codeDirectory);
  return { ...model, codeDirectory };
}

/** What esbuild keeps of each build, by its options. */
const contexts = new Map<string, BuildContext<MetafileOptions>>();

async function rebuild(options: MetafileOptions) {
  const key = JSON.stringify(options);
  const kept = contexts.get(key) ?? (await context({ ...options, sourceRoot }));
  contexts.set(key, kept);
  return await kept.rebuild();
}
