import { randomInt } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { SecretModel } from "../stack/model.ts";
import { StartError } from "../start-error.ts";

/** Values of secrets by label, the logical id without CDK's hash. */
export type SecretValues = Readonly<Record<string, string>>;

const fileName = "secrets.json";

/** Allowed by whatever the template excludes, but for letters or digits themselves. */
const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/**
 * Finds the values of the stack's secrets: the given ones, else those kept with the data, else, where the
 * template says that a value is generated, a new one, which is kept then.
 *
 * @param secrets the secrets that the stack declares
 * @param given values that are not kept
 * @param directory where generated values are kept; undefined keeps nothing
 * @returns the values; a secret that is neither given nor generated has none
 * @throws {StartError} if a value is given for a secret that the stack does not have
 */
export async function loadSecretValues(
  secrets: readonly SecretModel[],
  given: SecretValues,
  directory: string | undefined,
): Promise<SecretValues> {
  const unknown = Object.keys(given).find((label) => !secrets.some((secret) => secret.label === label));
  if (unknown !== undefined) throw new StartError(`The stack has no secret ${unknown} to give a value to.`);
  const file = directory === undefined ? undefined : join(directory, fileName);
  const kept = file === undefined ? {} : await readKept(file);
  const missing = secrets.filter(
    ({ label, generatedLength }) =>
      generatedLength !== undefined && given[label] === undefined && kept[label] === undefined,
  );
  const generated = Object.fromEntries(missing.map((secret) => [secret.label, generate(secret)]));
  if (file !== undefined && missing.length > 0) {
    await keep(file, { ...kept, ...generated });
  }
  return { ...kept, ...generated, ...given };
}

/** The values of a run's secrets, which the operator may change while it lasts. */
export interface SecretStore {
  values(): SecretValues;
  /** Takes over the secrets that a template declares; those that are known keep their values. */
  declare(secrets: readonly SecretModel[]): Promise<void>;
  /** Gives a secret another value, which is kept with the data. */
  change(label: string, value: string): Promise<void>;
}

/**
 * Opens the values of a run's secrets.
 *
 * @param given values that are not kept: they hold until they are changed, and again at the next start
 * @param directory where the others are kept; undefined keeps nothing
 */
export function createSecretStore(given: SecretValues, directory: string | undefined): SecretStore {
  let values: SecretValues = {};
  let changed: SecretValues = {};
  return {
    values: () => values,
    async declare(secrets) {
      values = { ...(await loadSecretValues(secrets, given, directory)), ...changed };
    },
    async change(label, value) {
      if (directory !== undefined) {
        const file = join(directory, fileName);
        await keep(file, { ...(await readKept(file)), [label]: value });
      }
      changed = { ...changed, [label]: value };
      values = { ...values, [label]: value };
    },
  };
}

function generate({ generatedLength = 0 }: SecretModel): string {
  return Array.from({ length: generatedLength }, () => alphabet[randomInt(alphabet.length)]).join("");
}

async function keep(file: string, values: SecretValues): Promise<void> {
  await writeFile(file, `${JSON.stringify(values, null, 2)}\n`, { mode: 0o600 });
}

async function readKept(file: string): Promise<SecretValues> {
  try {
    return JSON.parse(await readFile(file, "utf8"));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return {};
    if (error instanceof SyntaxError) throw new StartError(`${file} is no JSON any more; delete it.`);
    throw error;
  }
}
