import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { CommandError } from "../../cli/errors.ts";
import { randomText } from "../../cli/random-text.ts";
import { writeFileAtomic } from "../../cli/write-file-atomic.ts";
import { NAMED_KEY } from "../../lib/auth/named-key.ts";
import { parseJson } from "../../lib/parse-json.ts";
import { isObject } from "../json.ts";
import type { SecretModel, StackModel } from "../stack/model.ts";

export type SecretValues = Readonly<Record<string, string>>;

export type SecretStore = ReturnType<typeof createSecretStore>;

/**
 * @param given values from the settings, which are not stored
 * @param directory where `secrets.json` has the others @throws {CommandError} if that file is damaged
 */
export function createSecretStore(given: SecretValues, directory: string | undefined) {
  const file = directory === undefined ? undefined : join(directory, "secrets.json");
  let stored = file === undefined ? {} : readValues(file);
  let overrides = given;

  function store(values: SecretValues): void {
    stored = { ...stored, ...values };
    if (file !== undefined) writeFileAtomic(file, `${JSON.stringify(stored, null, 2)}\n`, 0o600);
  }

  return {
    values: (): SecretValues => ({ ...stored, ...overrides }),
    declare(secrets: readonly SecretModel[]): void {
      const missing = secrets.filter(({ label }) => !(label in stored || label in overrides));
      const generated = missing.map(({ label, generatedLength }) => [label, randomText(generatedLength)]);
      if (generated.length > 0) store(Object.fromEntries(generated));
    },
    /** Stores a new value. It also replaces a given one, until the next start. */
    change(label: string, value: string): void {
      store({ [label]: value });
      overrides = { ...overrides, [label]: value };
    },
  };
}

/** With the values in place of the template's dynamic references to secrets, as CloudFormation deploys it. */
export function withSecretValues(model: StackModel, values: SecretValues): StackModel {
  const secretAt = (arn: string) =>
    values[model.secrets.find((secret) => secret.arn === arn)?.label ?? ""] ?? "";
  const resolve = (text: string) =>
    text.replace(/^\{\{resolve:secretsmanager:(.+):SecretString:::?\}\}$/, (_, arn) => secretAt(arn));
  const functions = model.functions.map((each) => {
    const variables = Object.entries(each.environment).map(([name, text]) => [name, resolve(text)]);
    return { ...each, environment: Object.fromEntries(variables) };
  });
  return { ...model, functions };
}

function readValues(file: string): SecretValues {
  const values = existsSync(file) ? parseJson(readFileSync(file, "utf8")) : {};
  if (isObject(values) && Object.values(values).every((value) => typeof value === "string"))
    return values as SecretValues;
  throw new CommandError(`${file} is damaged. Put a backup in its place, or delete it to get new secrets.`);
}

export function apiKeyOf(entry: string): string {
  return entry.replace(NAMED_KEY, "$<key>");
}
