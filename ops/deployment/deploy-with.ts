import { spawnSync } from "node:child_process";
import { CommandError, UsageError } from "../../cli/errors.ts";
import { tableNames } from "../../functions/definitions.ts";
import { inUseOutput, secretConstructIds, tableConstructId } from "../../lib/construct-ids.ts";

/** The settings "tables" and "secrets" of a stage, by area and by secret, out of its stack's outputs. */
export function settingsInUse(outputs: ReadonlyMap<string | undefined, string | undefined>) {
  const find = (names: readonly string[], idOf = (name: string) => name) =>
    new Map(
      names.flatMap((name) => {
        const value = outputs.get(inUseOutput(idOf(name)));
        return value === undefined ? [] : [[name, value] as const];
      }),
    );
  return { tables: find(tableNames, tableConstructId), secrets: find(Object.values(secretConstructIds)) };
}

/** As in `-c tables=…`. */
export function textOf(setting: ReadonlyMap<string, string>): string {
  return [...setting].map((pair) => pair.join(":")).join();
}

/** @throws {UsageError} where nobody could answer what the deployment asks */
export function checkAnswerable(yes: boolean): void {
  if (!yes && !process.stdin.isTTY)
    throw new UsageError("The deployment asks about wider permissions: without a terminal, add --yes.");
}

/** Deploys a stage with these tables and secrets, at once: two versions must not use different ones. */
export function deployWith(
  stageName: string,
  settings: ReturnType<typeof settingsInUse>,
  yes: boolean,
): void {
  const options = Object.entries(settings).flatMap(([name, setting]) =>
    setting.size === 0 ? [] : [`--${name}`, textOf(setting)],
  );
  const args = [
    "run",
    "deploy",
    "--",
    "--stage",
    stageName,
    "--all-at-once",
    ...(yes ? ["--yes"] : []),
    ...options,
  ];
  const { status } = spawnSync("npm", args, { stdio: "inherit" });
  if (status !== 0)
    throw new CommandError("The deployment failed: the stage is as before. Repeat the command.");
}
