import type { SecretName, TableName } from "./areas.ts";

/** The environment variable that names a table. */
export function tableVariable(table: TableName): string {
  return `${table.toUpperCase().replaceAll("-", "_")}_TABLE`;
}

/** The environment variable with a secret's ARN. */
export function secretVariable(secret: SecretName): string {
  return `${secret}_ARN`;
}

/**
 * Reads a setting that the stack passes to the function as an environment variable.
 *
 * @throws Error naming the variable when it is absent: the stack and the function disagree
 */
export function setting(name: string): string {
  const value = process.env[name];
  if (value === undefined || value === "") throw new Error(`The environment variable ${name} is not set`);
  return value;
}

/**
 * The name of an area's table in this deployment.
 *
 * @throws Error naming the variable when the stack does not grant the function the table (infra/functions.ts)
 */
export function tableName(table: TableName): string {
  return setting(tableVariable(table));
}

/**
 * Reads a setting that has to be one of several words.
 *
 * @throws Error naming the variable when it is absent or none of the words
 */
export function choiceSetting<const W extends string>(name: string, words: readonly W[]): W {
  const value = setting(name);
  const word = words.find((each) => each === value);
  if (word === undefined)
    throw new Error(`The environment variable ${name} must be one of ${words.join(", ")}`);
  return word;
}
