import { CommandError } from "../cli/errors.ts";
import { MIN_SIGNING_SECRET_BYTES } from "../lib/areas.ts";
import { REREAD_AFTER_MS } from "../lib/auth/secrets.ts";
import { TOKEN_LIFETIME_MS } from "../lib/auth/tokens.ts";
import { runOperatorCommand } from "./operator-command.ts";
import { changeSecretList, generateValue } from "./secret-list.ts";

/** Tolerance for clocks that differ. */
const MARGIN_MS = 5 * 60_000;
/** A function may sign with the previous secret until it rereads the secrets; its last token then has to expire. */
const NEEDED_MS = REREAD_AFTER_MS + TOKEN_LIFETIME_MS + MARGIN_MS;
const MINUTES = NEEDED_MS / 60_000;

await runOperatorCommand({
  name: "rotate",
  description: `Adds a new signing secret. It signs tokens from now on; the previous secrets still verify, so nobody is
logged out.`,
  options: {
    prune: {
      type: "boolean",
      description: `instead of adding a secret, remove all but the one that signs, if the last change was at least ${MINUTES} minutes ago: no valid token needs them any more`,
    },
  },
  async run({ prune }, { stage, isDryRun, progress, print }) {
    const client = stage.secretsManager;
    const id = stage.secret("SigningSecrets");
    if (!prune) {
      progress("Generating a new signing secret");
      const secret = generateValue();
      const { length } = await changeSecretList(client, id, ({ values }) =>
        isDryRun ? undefined : [secret, ...values],
      );
      print(
        isDryRun
          ? `Would have added a signing secret; ${length + 1} would verify.`
          : `Added a signing secret; ${length} verify. Remove the previous ones with --prune in ${MINUTES} minutes.`,
      );
      return;
    }
    progress("Checking which signing secrets are still needed");
    let outcome = "";
    await changeSecretList(client, id, ({ values, changedAt }) => {
      const removable = values.length - 1;
      const due = changedAt && new Date(changedAt.getTime() + NEEDED_MS);
      if (Buffer.byteLength(values[0] ?? "") < MIN_SIGNING_SECRET_BYTES)
        throw new CommandError(
          `The secret that signs has fewer than ${MIN_SIGNING_SECRET_BYTES} bytes and can be guessed: run npm run rotate. Nothing was changed.`,
        );
      if (removable === 0) outcome = "Nothing to remove: there is only one secret.";
      else if (due === undefined)
        outcome = "Nothing removed: the time of the last change is unknown, so tokens may still need them.";
      else if (due > new Date())
        outcome = `Nothing removed: valid tokens may need the previous secrets until ${due.toISOString()}.`;
      else {
        outcome = `${isDryRun ? "Would have removed" : "Removed"} ${removable}; the one that signs remains.`;
        if (!isDryRun) return values.slice(0, 1);
      }
      return undefined;
    });
    print(outcome);
  },
});
