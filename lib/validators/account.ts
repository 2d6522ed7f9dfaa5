import * as z from "zod";
import { text } from "./text.ts";

/** The longest address that mail can be sent to (RFC 5321, 4.5.3.1.3, without the angle brackets). */
const MAX_EMAIL_LENGTH = 254;
/** Far beyond any pass phrase; what it keeps out is a body of megabytes that would have to be hashed. */
export const MAX_PASSWORD_LENGTH = 1_024;
/** What browsers and proxies take for granted; it also keeps an account far below the size of an item. */
const MAX_WEBSITE_LENGTH = 2_048;

/** Letters, digits and underscore, 3 to 50 of them (specification, "User (validated registration …)"). */
const username = text({ min: 3, max: 50 }).check(
  z.regex(/^[a-zA-Z0-9_]+$/, { error: "The username may contain only letters, digits and underscores" }),
);

/**
 * An e-mail address in the form that zod checks: ASCII only, and so also safe to compare in lower case. Its
 * length is checked first, so that the pattern never runs over megabytes.
 */
const email = z.string().max(MAX_EMAIL_LENGTH, { abort: true }).check(z.email());

/**
 * 8 to 1,024 characters with a digit and an uppercase letter. Both count in every script: Unicode's decimal
 * digits (Nd) and uppercase letters (Lu).
 */
const password = text({ min: 8, max: MAX_PASSWORD_LENGTH }).check(
  z.regex(/\p{Nd}/u, { error: "The password must contain at least one digit" }),
  z.regex(/\p{Lu}/u, { error: "The password must contain at least one uppercase letter" }),
);

const website = text({ max: MAX_WEBSITE_LENGTH }).check(
  z.regex(/^https?:\/\//, { error: "The website must start with http:// or https://" }),
);

/** What registers an account (specification, "UserCreate"). Null is the same as absent. */
export const UserCreate = z
  .object({
    username,
    email,
    password,
    age: z.int().min(0).max(150).nullish(),
    website: website.nullish(),
  })
  .meta({ id: "UserCreate" });
export type UserCreate = z.output<typeof UserCreate>;

/** The submitted data without the password; what was not given is null (README, "Decisions"). */
export const RegisteredUser = z
  .object({
    username: z.string(),
    email: z.string(),
    age: z.int().min(0).max(150).nullable(),
    website: z.string().nullable(),
  })
  .meta({ id: "RegisteredUser" });
export type RegisteredUser = z.output<typeof RegisteredUser>;

/** The users that one batch registered (specification, "Users (record area)"). */
export const RegisteredUsers = z
  .object({ created: z.int().min(1), items: z.array(RegisteredUser) })
  .meta({ id: "RegisteredUsers" });

/** The role of an account that nobody has given another one. */
export const DEFAULT_ROLE = "user";
/** The role that may call what is for administrators. */
export const ADMIN_ROLE = "admin";

/** User (specification, "User (authenticated variant)"). */
export const Account = z
  .object({ username: z.string(), email: z.string(), role: z.string() })
  .meta({ id: "Account" });
export type Account = z.output<typeof Account>;

/** What the API shows of an account. */
export function accountView({ username, email, role }: Account): Account {
  return { username, email, role };
}

/** Token (specification, "User (validated registration and authenticated variant)"). */
export const Token = z
  .object({ access_token: z.string(), token_type: z.literal("bearer") })
  .meta({ id: "Token" });

/**
 * Tells whether a text can be anybody's username at all.
 *
 * @param value what a client or a token says
 */
export function isUsername(value: string): boolean {
  return username.safeParse(value).success;
}
