import { createHash } from "node:crypto";
import { CommandError, UsageError } from "../cli/errors.ts";
import { REREAD_AFTER_MS } from "../lib/auth/secrets.ts";
import { runOperatorCommand } from "./operator-command.ts";
import { changeSecretList, generateValue, readSecretList } from "./secret-list.ts";

const MINUTES = REREAD_AFTER_MS / 60_000;

await runOperatorCommand({
  name: "key",
  description: `Manages the static API keys, which give access to all routes under /api.

  add     generates a key and prints it, this one time; it is valid within half a minute
  revoke  removes a key; functions may accept it for up to ${MINUTES} more minutes
  list    prints the number of keys, and the id and the first characters of each`,
  arguments: {
    action: {
      type: "choice",
      choices: ["add", "revoke", "list"],
      isRequired: true,
      description: "what to do",
    },
    key: { type: "string", description: "for revoke: the key's id, or the key" },
  },
  options: { json: { type: "boolean", description: "for list: print it as JSON" } },
  check({ action, key, json }) {
    if (action !== "list" && json) throw new UsageError("--json needs list.");
    if (action !== "revoke" && key !== undefined) throw new UsageError(`Unexpected argument "${key}".`);
    if (action === "revoke" && key === undefined)
      throw new UsageError("Revoke needs the key's id, or the key.");
  },
  async run({ action, key: wanted = "", json }, context) {
    const { stage, isDryRun, progress, print } = context;
    if (action === "list") {
      const { values } = await readSecretList(stage, "ApiKeys");
      if (json) print(JSON.stringify(values.map((key) => ({ id: idOf(key), start: key.slice(0, 4) }))));
      else print([countText(values.length), ...values.map(masked)].join("\n"));
    } else if (action === "add") {
      const key = generateValue();
      const { length } = await changeSecretList(context, "ApiKeys", ({ values }) => [...values, key]);
      if (isDryRun) return progress(`Would have added a key to ${countText(length - 1)}.`);
      progress(`Added ${idOf(key)}; now ${countText(length)}.`);
      print(key);
    } else {
      let revoked = "";
      const { length } = await changeSecretList(context, "ApiKeys", ({ values }) => {
        revoked = findKey(values, wanted);
        return values.filter((value) => value !== revoked);
      });
      print(
        isDryRun
          ? `Would have revoked ${masked(revoked)} of ${countText(length + 1)}.`
          : `Revoked ${masked(revoked)}; ${countText(length)} left. Every function refuses it within ${MINUTES} minutes.`,
      );
    }
  },
});

/** @throws {CommandError} unless there is such a key and another one remains */
function findKey(keys: readonly string[], wanted: string): string {
  const key = keys.find((each) => each === wanted || idOf(each) === wanted);
  if (key === undefined) throw new CommandError("There is no such key. Nothing was changed.");
  if (keys.every((each) => each === key))
    throw new CommandError("This is the only key: add another one first. Nothing was changed.");
  return key;
}

function masked(key: string): string {
  return `${idOf(key)} (${key.slice(0, 4)}…)`;
}

/** The same for the same key, wherever it is listed. */
function idOf(key: string): string {
  return createHash("sha256").update(key).digest("hex").slice(0, 8);
}

function countText(count: number): string {
  return count === 1 ? "1 key" : `${count} keys`;
}
