import * as z from "zod/mini";
import { integer } from "./integer.ts";
import { namedObject } from "./metadata.ts";
import { allNullishToUndefined, preprocess } from "./preprocess.ts";
import { text } from "./text.ts";

/** White space is what JavaScript's `trim` removes. The lists read every user, so records must stay small. */
const name = text({ max: 200 }).check(z.regex(/^\s*\S[\s\S]*$/, "Must not be blank"));
/** The longest address in the syntax of SMTP: 64 characters, an @ and 255 (RFC 5321, 4.5.3.1). */
const email = text({ max: 320 }).check(z.regex(/^[^@]*@[\s\S]*$/, "Must contain an @"));
/** -0 becomes 0, which is how it is stored. */
const age = integer({ min: 0 }).check(z.overwrite((years) => years + 0));

export const User = namedObject("User", {
  id: integer({ min: 1 }),
  name: text(),
  email: text(),
  age: integer({ min: 0 }),
});
export type User = z.output<typeof User>;

export const UserResponse = namedObject("UserResponse", {
  success: z.boolean(),
  data: z.nullable(User),
  error: z.nullable(z.string()),
});

export const userFields = ["id", "name", "email", "age"] as const satisfies readonly (keyof User)[];
export type UserField = (typeof userFields)[number];

/** The fields are checked in this order (specification, "User records"). */
export const CreateUserRequest = namedObject("CreateUserRequest", { name, email, age });

/** Creates a user. The body of an account is told that it belongs to `POST /users/`. */
export const NewUser = preprocess((body, { issues }) => {
  if (isAccount(body)) {
    const message = "Required. To register an account, use POST /users/ (with the slash)";
    issues.push({ code: "custom", path: ["name"], message, params: { type: "missing" }, input: body });
  }
  return body;
}, CreateUserRequest);

function isAccount(body: unknown): boolean {
  if (typeof body !== "object" || body === null || "name" in body) return false;
  return "username" in body || "password" in body;
}

export const PatchUserRequest = namedObject("PatchUserRequest", allNullishToUndefined({ name, email, age }));
