import { CommandError, UsageError } from "../cli/errors.ts";
import { parseApiKey } from "../lib/auth/api-keys.ts";
import { REREAD_AFTER_MS } from "../lib/auth/secrets.ts";
import { runOperatorCommand } from "./operator-command.ts";
import { changeSecretList, generateValue, readSecretList } from "./secret-list.ts";

const MINUTES = REREAD_AFTER_MS / 60_000;

await runOperatorCommand({
  name: "key",
  description: `Manages the static API keys, which give access to all routes under /api.

  add     generates a key and prints it, only once; it is valid within half a minute
  revoke  removes a key; functions may accept it for up to ${MINUTES} more minutes
  list    prints the number of keys, and the id, the name and the first characters of each`,
  arguments: {
    action: {
      type: "choice",
      choices: ["add", "revoke", "list"],
      isRequired: true,
      description: "what to do",
    },
    key: { type: "string", description: "for revoke: the key's id or name, or the key" },
  },
  options: {
    name: { type: "string", description: "for add: what log lines call the key; its id by default" },
  },
  check({ action, key, name }) {
    if (action !== "add" && name !== undefined) throw new UsageError("--name needs add.");
    if (name !== undefined && parseApiKey(`${name}:key`).name === undefined)
      throw new UsageError("--name must be up to 32 small letters, digits and dashes, a letter first.");
    if (action !== "revoke" && key !== undefined) throw new UsageError(`Unexpected argument "${key}".`);
    if (action === "revoke" && key === undefined)
      throw new UsageError("Revoke needs the key's id or name, or the key.");
  },
  async run({ action, key: wanted = "", name }, context) {
    const { stage, progress, print } = context;
    if (action === "list") {
      const { values } = await readSecretList(stage, "ApiKeys");
      print([countText(values.length), ...values.map(masked)].join("\n"));
    } else if (action === "add") {
      const key = generateValue();
      const entry = name === undefined ? key : `${name}:${key}`;
      const { length } = await changeSecretList(context, "ApiKeys", ({ values }) => {
        if (name === undefined || !values.some((each) => parseApiKey(each).name === name))
          return [...values, entry];
        throw new CommandError(`There is a key ${name} already. Nothing was changed.`);
      });
      progress(`Added ${parseApiKey(entry).id}; now ${countText(length)}.`);
      print(key);
    } else {
      let revoked = "";
      const { length } = await changeSecretList(context, "ApiKeys", ({ values }) => {
        revoked = findKey(values, wanted);
        return values.filter((value) => value !== revoked);
      });
      print(
        `Revoked ${masked(revoked)}; ${countText(length)} left. Every function refuses it within ${MINUTES} minutes.`,
      );
    }
  },
});

/** @throws {CommandError} unless there is such a key and another one remains */
function findKey(keys: readonly string[], wanted: string): string {
  const key = keys.find((each) => Object.values(parseApiKey(each)).includes(wanted));
  if (key === undefined) throw new CommandError("There is no such key. Nothing was changed.");
  if (keys.every((each) => each === key))
    throw new CommandError("This is the only key: add another one first. Nothing was changed.");
  return key;
}

function masked(entry: string): string {
  const { id, name, key } = parseApiKey(entry);
  return `${id}${name === undefined ? "" : ` ${name}`} (${key.slice(0, 4)}…)`;
}

function countText(count: number): string {
  return count === 1 ? "1 key" : `${count} keys`;
}
