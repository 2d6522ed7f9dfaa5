import type { SecretName } from "./construct-ids.ts";

export function tableVariable(table: string): string {
  return `${table.toUpperCase().replaceAll("-", "_")}_TABLE`;
}

export function secretVariable(secret: SecretName): string {
  return `${secret}_ARN`;
}

/** Reads an environment variable of the function. @throws Error if it is not set */
export function setting(name: string): string {
  const value = process.env[name];
  if (value === undefined || value === "") throw new Error(`The environment variable ${name} is not set`);
  return value;
}

/** The name of an area's table. @throws Error if the stack does not grant it (`uses` in its area.ts) */
export function tableName(table: string): string {
  return setting(tableVariable(table));
}
