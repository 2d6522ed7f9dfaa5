import type * as z from "zod/mini";
import { DamagedRecord } from "../domain/errors.ts";
import { logDamage } from "../log/log.ts";

/** Of the damaged records of a list; all are counted. */
const MAX_LOGGED = 10;

/** Decodes a stored item. @throws DamagedRecord with the names of the missing or wrong fields */
export function decode<S extends z.ZodMiniType>(
  schema: S,
  item: Readonly<Record<string, unknown>>,
): z.output<S> {
  const { data, error } = schema.safeParse(item);
  if (error === undefined) return data as z.output<S>;
  // A key that is a text names an account.
  const id = typeof item.sk === "number" ? item.sk : item.pk;
  throw new DamagedRecord(id, error.issues.map(({ path }) => path.join(".")).join(", "));
}

/** Maps a list. What throws DamagedRecord is left out and reported: by default logged. */
export function withoutDamaged<A, B>(inputs: readonly A[], map: (input: A) => B, report = logDamaged): B[] {
  const outputs: B[] = [];
  const damaged: string[] = [];
  for (const input of inputs) {
    try {
      outputs.push(map(input));
    } catch (error) {
      if (!(error instanceof DamagedRecord)) throw error;
      damaged.push(error.message);
    }
  }
  if (damaged.length > 0) report(damaged);
  return outputs;
}

function logDamaged(damaged: string[]): void {
  logDamage("damaged records", damaged.length, { damaged: damaged.slice(0, MAX_LOGGED) });
}
