import { ask } from "../cli/ask.ts";
import { CommandError, UsageError } from "../cli/errors.ts";
import { REREAD_AFTER_MS } from "../lib/auth/secrets.ts";
import { TOKEN_LIFETIME_MS } from "../lib/auth/tokens.ts";
import { MIN_SIGNING_SECRET_BYTES, secretConstructIds } from "../lib/construct-ids.ts";
import { forEachOf } from "./for-each-of.ts";
import { type OperatorContext, runOperatorCommand } from "./operator-command.ts";
import { changeSecretList, generateValue, type SecretList } from "./secret-list.ts";

/** Tolerance for clocks that differ. */
const MARGIN_MS = 5 * 60_000;
/** A function signs with the previous secret until it rereads them; its last token then has to expire. */
const NEEDED_MS = REREAD_AFTER_MS + TOKEN_LIFETIME_MS + MARGIN_MS;
const MINUTES = NEEDED_MS / 60_000;
const REVOKING = `This ends every token and every API key: everybody has to log in again, and every client needs the new
key. Running functions accept the previous ones for up to ${REREAD_AFTER_MS / 60_000} more minutes, and for as long as Secrets Manager can't be
reached.`;

await runOperatorCommand({
  name: "rotate",
  description: `Adds a new signing secret. It signs tokens from now on; the previous secrets still verify, so nobody is
logged out.`,
  options: {
    prune: {
      type: "boolean",
      description: `instead of adding a secret, remove all but the one that signs, if the last change was at least ${MINUTES} minutes ago: no valid token needs them any more`,
    },
    revoke: {
      type: "boolean",
      description: `after a leak: replace all signing secrets and all API keys by a new one each, and print the key, only once. ${REVOKING.replaceAll("\n", " ")}`,
    },
    yes: { type: "boolean", description: "do not ask before --revoke" },
  },
  check({ prune, revoke, yes }) {
    if (prune && revoke) throw new UsageError("--prune and --revoke exclude each other.");
    if (yes && !revoke) throw new UsageError("--yes only confirms --revoke.");
  },
  async run({ prune, revoke, yes }, context) {
    if (revoke) return revokeAll(context, yes);
    const { print } = context;
    let outcome = "";
    const { length } = await changeSecretList(context, "SigningSecrets", (list) => {
      if (!prune) return [generateValue(), ...list.values];
      const reason = reasonToKeep(list);
      outcome = reason ?? `Removed ${list.values.length - 1}; the one that signs remains.`;
      return reason === undefined ? list.values.slice(0, 1) : list.values;
    });
    if (prune) print(outcome);
    else
      print(
        `Added a signing secret; ${length} verify. Remove the previous ones with --prune in ${MINUTES} minutes.`,
      );
  },
});

/** @throws {CommandError} without a confirmation */
async function revokeAll(context: OperatorContext, isConfirmed: boolean): Promise<void> {
  const { progress, print } = context;
  if (!isConfirmed && (await ask(`${REVOKING} Enter revoke: `)) !== "revoke")
    throw new CommandError("Nothing was changed.");
  // The signing secrets first: they sign tokens for any account.
  await forEachOf(
    Object.values(secretConstructIds).reverse(),
    "Not replaced. A deleted secret comes back with its leaked values: repeat --revoke then",
    async (id) => {
      const value = generateValue();
      await changeSecretList(context, id, () => [value]);
      progress(`Replaced all ${id} by one.`);
      if (id === "ApiKeys") print(value);
    },
  );
  if (isConfirmed) progress(REVOKING);
}

/** @returns undefined if all but the first may go. @throws {CommandError} if that one can be guessed */
function reasonToKeep({ values, changedAt }: SecretList): string | undefined {
  if (Buffer.byteLength(values[0] ?? "") < MIN_SIGNING_SECRET_BYTES)
    throw new CommandError(
      `The secret that signs has fewer than ${MIN_SIGNING_SECRET_BYTES} bytes and can be guessed: run npm run rotate. Nothing was changed.`,
    );
  if (values.length === 1) return "Nothing to remove: there is only one secret.";
  if (changedAt === undefined)
    return "Nothing removed: the time of the last change is unknown, so tokens may still need them.";
  const due = new Date(changedAt.getTime() + NEEDED_MS);
  if (due <= new Date()) return undefined;
  return `Nothing removed: valid tokens may need the previous secrets until ${due.toISOString()}.`;
}
