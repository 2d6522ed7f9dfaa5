import { CommandError } from "../cli/errors.ts";
import { REREAD_AFTER_MS } from "../lib/auth/secrets.ts";
import { TOKEN_LIFETIME_MS } from "../lib/auth/tokens.ts";
import { MIN_SIGNING_SECRET_BYTES } from "../lib/construct-ids.ts";
import { type OperatorContext, runOperatorCommand } from "./operator-command.ts";
import { changeSecretList, generateValue, type SecretList } from "./secret-list.ts";

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
  async run({ prune }, context) {
    await (prune ? removePrevious(context) : addSecret(context));
  },
});

async function addSecret({ stage, isDryRun, progress, print }: OperatorContext): Promise<void> {
  progress("Generating a new signing secret");
  const secret = generateValue();
  const { length } = await changeSecretList(
    stage.secretsManager,
    stage.secret("SigningSecrets"),
    ({ values }) => (isDryRun ? undefined : [secret, ...values]),
  );
  print(
    isDryRun
      ? `Would have added a signing secret; ${length + 1} would verify.`
      : `Added a signing secret; ${length} verify. Remove the previous ones with --prune in ${MINUTES} minutes.`,
  );
}

async function removePrevious({ stage, isDryRun, progress, print }: OperatorContext): Promise<void> {
  progress("Checking which signing secrets are still needed");
  let outcome = "";
  await changeSecretList(stage.secretsManager, stage.secret("SigningSecrets"), (list) => {
    const reason = reasonToKeep(list);
    const verb = isDryRun ? "Would have removed" : "Removed";
    outcome = reason ?? `${verb} ${list.values.length - 1}; the one that signs remains.`;
    return reason === undefined && !isDryRun ? list.values.slice(0, 1) : undefined;
  });
  print(outcome);
}

/**
 * Why no secret may be removed, as the command prints it; undefined if all but the first may be.
 *
 * @throws {CommandError} if the first, which signs, can be guessed
 */
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
