import { REREAD_AFTER_MS } from "../lib/auth/secrets.ts";
import { TOKEN_LIFETIME_MS } from "../lib/auth/tokens.ts";
import { refuseOperands, runCommand } from "./cli/operator-command.ts";
import { changeList, generateValue } from "./secret-list.ts";

/** For clocks that differ. */
const MARGIN_MS = 5 * 60_000;
/** A function may sign with the secret before for as long as it keeps it, and the last such token lives on. */
const NEEDED_MS = REREAD_AFTER_MS + TOKEN_LIFETIME_MS + MARGIN_MS;
const MINUTES = NEEDED_MS / 60_000;

await runCommand({
  name: "rotate",
  synopsis: "[--prune]",
  help: `Puts a new signing secret first. It signs from now on; the ones before go on verifying, so nobody is logged out.

  --prune     makes no new one, but drops those that no valid token is signed with any more: all but the first,
              once the last change is ${MINUTES} minutes old`,
  options: { prune: { type: "boolean" } },
  check: (_, operands) => refuseOperands(operands),
  async run({ options: { prune }, stage, isDryRun, progress, print }) {
    const client = stage.secretsManager;
    const id = stage.secret("SigningSecrets");
    if (!prune) {
      progress("Making a new signing secret");
      const secret = generateValue();
      const { length } = await changeList(client, id, ({ values }) =>
        isDryRun ? undefined : [secret, ...values],
      );
      print(
        isDryRun
          ? `Would have put a new secret first; ${length + 1} would verify.`
          : `A new secret signs; ${length} verify. In ${MINUTES} minutes, --prune can drop those before.`,
      );
      return;
    }
    progress("Looking for signing secrets that are no longer needed");
    let outcome = "";
    await changeList(client, id, ({ values, changedAt }) => {
      const dropped = values.length - 1;
      const due = changedAt && new Date(changedAt.getTime() + NEEDED_MS);
      if (dropped === 0) outcome = "There is but one secret: nothing is dropped.";
      else if (due === undefined || due > new Date())
        outcome = `Nothing is dropped: valid tokens may need them until ${due?.toISOString() ?? "nobody knows when"}.`;
      else {
        outcome = `${isDryRun ? "Would have dropped" : "Dropped"} ${dropped}; the one that signs is left.`;
        if (!isDryRun) return values.slice(0, 1);
      }
      return undefined;
    });
    print(outcome);
  },
});
