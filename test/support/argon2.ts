import crypto, { type Argon2Parameters } from "node:crypto";
import { syncBuiltinESMExports } from "node:module";

/** Replaces Node's argon2 by one that derives with changed parameters. @returns a function that ends this */
export function changeArgon2(change: (parameters: Argon2Parameters) => Argon2Parameters): () => void {
  const { argon2 } = crypto;
  const replaceBy = (replacement: typeof argon2) => {
    crypto.argon2 = replacement;
    syncBuiltinESMExports();
  };
  replaceBy((algorithm, parameters, callback) => argon2(algorithm, change(parameters), callback));
  return () => replaceBy(argon2);
}
