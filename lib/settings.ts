/**
 * Reads an environment variable of the function, for example `TODOS_TABLE`.
 *
 * @throws Error if it is not set: the stack and the function disagree
 */
export function setting(name: string): string {
  const value = process.env[name];
  if (value === undefined || value === "") throw new Error(`The environment variable ${name} is not set`);
  return value;
}

/**
 * Reads an environment variable that has one of several values.
 *
 * @throws Error if it is not set or has another value
 */
export function choiceSetting<const V extends string>(name: string, values: readonly V[]): V {
  const value = setting(name);
  const choice = values.find((each) => each === value);
  if (choice === undefined)
    throw new Error(`The environment variable ${name} must be one of ${values.join(", ")}`);
  return choice;
}
