import { StartError } from "../start-error.ts";
import { failureText } from "./error-text.ts";

/**
 * Loads a module that works with the service's own code, which may be broken while somebody works on it. So such a
 * module is never imported statically here.
 *
 * @param load imports it
 * @throws {StartError} with the place, when it or what it imports can't be loaded
 */
export async function loadModule<M>(load: () => Promise<M>): Promise<M> {
  try {
    return await load();
  } catch (error) {
    throw new StartError(`The service's code can't be loaded: ${failureText(error)}`);
  }
}
