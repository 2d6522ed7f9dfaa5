import { REREAD_AFTER_MS } from "../lib/auth/secrets.ts";
import { CommandError, UsageError } from "./cli/errors.ts";
import { runCommand } from "./cli/operator-command.ts";
import { changeList, generateValue, readList } from "./secret-list.ts";

/** How much of a key is shown, and the least that names one. */
const SHOWN = 4;
const MINUTES = REREAD_AFTER_MS / 60_000;

await runCommand({
  name: "key",
  synopsis: "add | revoke <key or its beginning> | list",
  help: `The static keys, which open everything under /api.

  add         makes a new key and prints it, once; it is valid within half a minute
  revoke      takes a key away, named by as much of its beginning as no other key shares, ${SHOWN} characters at
              least; functions go on taking it for up to ${MINUTES} minutes
  list        shows how many there are, and the first ${SHOWN} characters of each`,
  options: {},
  check(_, [action, key, ...more]) {
    if (action !== "add" && action !== "revoke" && action !== "list")
      throw new UsageError(action === undefined ? "Say add, revoke or list." : `There is no "${action}".`);
    if (more.length > 0 || (action !== "revoke" && key !== undefined))
      throw new UsageError("That is too much.");
    if (action === "revoke" && (key === undefined || key.length < SHOWN))
      throw new UsageError(`Say which key: its first ${SHOWN} characters or more.`);
  },
  async run({ operands: [action, beginning = ""], stage, isDryRun, progress, print }) {
    const client = stage.secretsManager;
    const id = stage.secret("ApiKeys");
    if (action === "list") {
      const { values } = await readList(client, id);
      print([countOf(values), ...values.map(shown)].join("\n"));
    } else if (action === "add") {
      const key = generateValue();
      const keys = await changeList(client, id, ({ values }) => (isDryRun ? undefined : [...values, key]));
      progress(
        isDryRun ? `Would have added a key to ${countOf(keys)}.` : `Added a key: ${countOf(keys)} now.`,
      );
      if (!isDryRun) print(key);
    } else {
      let revoked = "";
      const keys = await changeList(client, id, ({ values }) => {
        revoked = named(values, beginning);
        return isDryRun ? undefined : values.filter((value) => value !== revoked);
      });
      print(
        isDryRun
          ? `Would have revoked ${shown(revoked)} of ${countOf(keys)}.`
          : `Revoked ${shown(revoked)}: ${countOf(keys)} left. Within ${MINUTES} minutes nothing takes it any more.`,
      );
    }
  },
});

function named(keys: readonly string[], beginning: string): string {
  // The whole of a key names it, also where another one begins with it.
  const found = keys.includes(beginning) ? [beginning] : keys.filter((key) => key.startsWith(beginning));
  const [key, other] = found;
  if (key === undefined) throw new CommandError("No key begins like that; nothing is changed.");
  if (other !== undefined)
    throw new CommandError("Several keys begin like that: say more; nothing is changed.");
  if (keys.every((each) => each === key))
    throw new CommandError("It is the only key: add another one first; nothing is changed.");
  return key;
}

function shown(key: string): string {
  return `${key.slice(0, SHOWN)}…`;
}

function countOf(keys: readonly string[]): string {
  return keys.length === 1 ? "1 key" : `${keys.length} keys`;
}
