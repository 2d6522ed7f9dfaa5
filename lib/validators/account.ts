import * as z from "zod/mini";
import { integer } from "./integer.ts";
import { named, namedObject, withMetadata } from "./metadata.ts";
import { text } from "./text.ts";

/** The longest address that mail can be sent to (RFC 5321, 4.5.3.1.3, without the angle brackets). */
const MAX_EMAIL_LENGTH = 254;
/** Longer than any pass phrase, but short enough to hash. */
export const MAX_PASSWORD_LENGTH = 1_024;
const MAX_WEBSITE_LENGTH = 2_048;

/** (specification, "User (validated registration and authenticated variant)") */
const username = text({ min: 3, max: 50 }).check(
  z.regex(/^[a-zA-Z0-9_]+$/, { error: "May contain only letters, digits and underscores" }),
);

/** Programs differ in what `format: email` allows: atoms of RFC 5322, 3.2.3, and a host name of at least two labels. */
export const EMAIL_PATTERN =
  /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*@(?:[A-Za-z0-9][A-Za-z0-9-]*\.)+[A-Za-z][A-Za-z0-9-]*[A-Za-z0-9]$/;

/** The length is checked first, so that the pattern never runs over megabytes. */
const email = z
  .string()
  .check(
    z.maxLength(MAX_EMAIL_LENGTH, { abort: true }),
    z.regex(EMAIL_PATTERN, { error: "Must be a valid e-mail address" }),
  );

/** A digit and an uppercase letter of any script (Unicode categories Nd and Lu). */
const password = text({ min: 8, max: MAX_PASSWORD_LENGTH }).check(
  z.regex(/\p{Nd}/u, { error: "Must contain at least one digit" }),
  z.regex(/\p{Lu}/u, { error: "Must contain at least one uppercase letter" }),
);
export const SECRET = { format: "password", writeOnly: true } as const;
withMetadata(password, SECRET);

/** A stored one may be from before today's rules. */
const knownPassword = withMetadata(z.string(), SECRET);

const website = text({ max: MAX_WEBSITE_LENGTH }).check(
  z.regex(/^https?:\/\/[\s\S]*$/, { error: "Must start with http:// or https://" }),
);

export const UserCreate = namedObject("UserCreate", {
  username,
  email,
  password,
  age: z.nullish(integer({ min: 0, max: 150 })),
  website: z.nullish(website),
});
export type UserCreate = z.output<typeof UserCreate>;

/** An extension: the password of one's own account. */
export const OwnPassword = namedObject("OwnPassword", { password: knownPassword });
export const PasswordChange = named(
  "PasswordChange",
  z.object({ password: knownPassword, new_password: password }).check(
    // As they are compared (lib/auth/passwords.ts). One for a single login must not become permanent.
    z.refine((change) => change.password.normalize("NFKC") !== change.new_password.normalize("NFKC"), {
      path: ["new_password"],
      error: "Must differ from the current password",
    }),
  ),
);

/** The submitted data without the password; absent fields are null (docs/specification.md). */
export const RegisteredUser = namedObject("RegisteredUser", {
  username: z.string(),
  email: z.string(),
  age: z.nullable(integer({ min: 0, max: 150 })),
  website: z.nullable(z.string()),
});
export type RegisteredUser = z.output<typeof RegisteredUser>;

export const RegisteredUsers = namedObject("RegisteredUsers", {
  created: integer({ min: 1 }),
  items: z.array(RegisteredUser),
});

export const Account = namedObject("Account", { username: z.string(), email: z.string(), role: z.string() });
export type Account = z.output<typeof Account>;

export const Token = namedObject("Token", { access_token: z.string(), token_type: z.literal("bearer") });

/** Names that others would take for the service itself. No registration gets them, in any case. */
const RESERVED_USERNAMES: ReadonlySet<string> = new Set([
  ...["abuse", "admin", "administrator", "api", "hostmaster", "moderator", "noreply", "no_reply"],
  ...["postmaster", "root", "security", "staff", "support", "system", "webmaster"],
]);

export function isReserved(username: string, added: readonly string[] = []): boolean {
  const name = username.toLowerCase();
  return RESERVED_USERNAMES.has(name) || added.includes(name);
}

export function isUsername(value: string): boolean {
  return username.safeParse(value).success;
}

/** Before the subject of an identity provider's token, as the owner of records: no own username has the character. */
export const SUBJECT_PREFIX = "idp|";

/** (OpenID Connect Core 1.0, section 2) Without spaces and control characters, as it is logged. */
export function isSubject(owner: string): boolean {
  return /^idp\|[\x21-\x7e]{1,255}$/.test(owner);
}
