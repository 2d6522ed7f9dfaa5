import { CommandError, UsageError } from "../cli/errors.ts";
import { REREAD_AFTER_MS } from "../lib/auth/secrets.ts";
import { runOperatorCommand } from "./operator-command.ts";
import { changeSecretList, generateValue, readSecretList } from "./secret-list.ts";

/** How many characters of a key are shown, and the minimum that identifies one. */
const PREFIX_LENGTH = 4;
const MINUTES = REREAD_AFTER_MS / 60_000;

await runOperatorCommand({
  name: "key",
  description: `Manages the static API keys, which give access to all routes under /api.

  add     generates a key and prints it, this one time; it is valid within half a minute
  revoke  removes a key; functions may accept it for up to ${MINUTES} more minutes
  list    prints the number of keys and the first ${PREFIX_LENGTH} characters of each`,
  arguments: {
    action: {
      type: "choice",
      choices: ["add", "revoke", "list"],
      isRequired: true,
      description: "what to do",
    },
    key: {
      type: "string",
      description: `for revoke: the key, or a unique prefix of at least ${PREFIX_LENGTH} characters`,
    },
  },
  check({ action, key }) {
    if (action !== "revoke" && key !== undefined) throw new UsageError(`Unexpected argument "${key}".`);
    if (action === "revoke" && (key === undefined || key.length < PREFIX_LENGTH))
      throw new UsageError(`Revoke needs the key, or at least its first ${PREFIX_LENGTH} characters.`);
  },
  async run({ action, key: prefix = "" }, { stage, isDryRun, progress, print }) {
    const client = stage.secretsManager;
    const id = stage.secret("ApiKeys");
    if (action === "list") {
      const { values } = await readSecretList(client, id);
      print([countText(values), ...values.map(masked)].join("\n"));
    } else if (action === "add") {
      const key = generateValue();
      const keys = await changeSecretList(client, id, ({ values }) =>
        isDryRun ? undefined : [...values, key],
      );
      progress(isDryRun ? `Would have added a key to ${countText(keys)}.` : `Added; now ${countText(keys)}.`);
      if (!isDryRun) print(key);
    } else {
      let revoked = "";
      const keys = await changeSecretList(client, id, ({ values }) => {
        revoked = findKey(values, prefix);
        return isDryRun ? undefined : values.filter((value) => value !== revoked);
      });
      print(
        isDryRun
          ? `Would have revoked ${masked(revoked)} of ${countText(keys)}.`
          : `Revoked ${masked(revoked)}; ${countText(keys)} left. Every function refuses it within ${MINUTES} minutes.`,
      );
    }
  },
});

/** @throws {CommandError} unless exactly one key matches and another one remains */
function findKey(keys: readonly string[], prefix: string): string {
  // A complete key matches, even if it is also the prefix of another.
  const matches = keys.includes(prefix) ? [prefix] : keys.filter((key) => key.startsWith(prefix));
  const [key, other] = matches;
  if (key === undefined) throw new CommandError("No key starts with this prefix. Nothing was changed.");
  if (other !== undefined)
    throw new CommandError("Several keys start with this prefix: use a longer one. Nothing was changed.");
  if (keys.every((each) => each === key))
    throw new CommandError("This is the only key: add another one first. Nothing was changed.");
  return key;
}

function masked(key: string): string {
  return `${key.slice(0, PREFIX_LENGTH)}…`;
}

function countText(keys: readonly string[]): string {
  return keys.length === 1 ? "1 key" : `${keys.length} keys`;
}
