/**
 * Reads a setting that the stack gives to the function as an environment variable.
 *
 * @param name the variable, for example `TODOS_TABLE`
 * @throws Error naming the variable when it is absent: the stack and the function disagree
 */
export function setting(name: string): string {
  const value = process.env[name];
  if (value === undefined || value === "") throw new Error(`The environment variable ${name} is not set`);
  return value;
}

/**
 * Reads a setting that is one word of several.
 *
 * @param name the variable
 * @param words what it can be
 * @throws Error naming the variable when it is absent or none of these words
 */
export function choiceSetting<const W extends string>(name: string, words: readonly W[]): W {
  const value = setting(name);
  const word = words.find((each) => each === value);
  if (word === undefined) throw new Error(`The environment variable ${name} is none of ${words.join(", ")}`);
  return word;
}
