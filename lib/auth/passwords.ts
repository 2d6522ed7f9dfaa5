import { type Argon2Parameters, argon2, randomBytes, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import { validationError } from "../domain/errors.ts";
import { MAX_PASSWORD_LENGTH } from "../validators/account.ts";

type Argon2Cost = Readonly<Pick<Argon2Parameters, "memory" | "passes" | "parallelism">>;

/** The minimum for argon2id in OWASP's Password Storage Cheat Sheet: about 50 ms on a whole CPU. */
const currentCost: Argon2Cost = { memory: 19 * 1_024, passes: 2, parallelism: 1 };

const SALT_BYTES = 16;
const TAG_BYTES = 32;

/** Argon2id in the PHC string format, which records the cost. Compares in NFKC, since characters have several forms. */
export class Passwords {
  readonly #cost: Argon2Cost;

  constructor(cost = currentCost) {
    this.#cost = cost;
  }

  /** @returns for example `$argon2id$v=19$m=19456,t=2,p=1$<salt>$<tag>`, the two in base64 without padding */
  async hash(password: string): Promise<string> {
    const salt = randomBytes(SALT_BYTES);
    const tag = await derive(password, { ...this.#cost, nonce: salt, tagLength: TAG_BYTES });
    return formatHash({ cost: this.#cost, salt, tag });
  }

  /** In constant time, also without a hash: the time does not reveal who has an account. */
  async verify(password: string, stored: string | undefined): Promise<boolean> {
    const dummy = { cost: this.#cost, salt: Buffer.alloc(SALT_BYTES), tag: Buffer.alloc(TAG_BYTES) };
    const { cost, salt, tag } = stored === undefined ? dummy : parseHash(stored);
    const isPossible = password.isWellFormed() && password.length <= 2 * MAX_PASSWORD_LENGTH;
    const parameters = { ...cost, nonce: salt, tagLength: tag.byteLength };
    const actual = await derive(isPossible ? password : "", parameters);
    return timingSafeEqual(actual, tag) && isPossible && stored !== undefined;
  }

  needsRehash(stored: string): boolean {
    const { memory, passes, parallelism } = parseHash(stored).cost;
    const now = this.#cost;
    return memory !== now.memory || passes !== now.passes || parallelism !== now.parallelism;
  }
}

/** Refuses the most used passwords, in any case, where the deployment says so. @throws ApiError `ValidationError` */
export function refuseMostUsed(passwords: Readonly<Record<string, string>>): void {
  const refused = new Set(process.env.REFUSED_PASSWORDS?.split(","));
  const details = Object.entries(passwords)
    .filter(([, password]) => refused.has(password.normalize("NFKC").toLowerCase()))
    .map(([field]) => ({ field, message: MOST_USED, type: "invalid_value" as const }));
  if (details.length > 0) throw validationError(details);
}

const MOST_USED = "Is one of the most used passwords, which are guessed first: choose another";

interface Hash {
  readonly cost: Argon2Cost;
  readonly salt: Buffer;
  readonly tag: Buffer;
}

const HASH_FORMAT = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

function formatHash({ cost, salt, tag }: Hash): string {
  const { memory, passes, parallelism } = cost;
  const base64 = (bytes: Buffer) => bytes.toString("base64").replaceAll("=", "");
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${base64(salt)}$${base64(tag)}`;
}

function parseHash(stored: string): Hash {
  const [, memory, passes, parallelism, salt = "", tag = ""] = HASH_FORMAT.exec(stored) ?? [];
  if (memory === undefined)
    throw new Error("A stored password hash is not argon2id in the PHC string format");
  return {
    cost: { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) },
    salt: Buffer.from(salt, "base64"),
    tag: Buffer.from(tag, "base64"),
  };
}

function derive(password: string, parameters: Omit<Argon2Parameters, "message">): Promise<Buffer> {
  const message = Buffer.from(password.normalize("NFKC"));
  return promisify(argon2)("argon2id", { ...parameters, message });
}
