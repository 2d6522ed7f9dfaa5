import * as z from "zod";
import { text } from "./text.ts";

/** White space is what JavaScript's `trim` takes away. */
const name = text().regex(/\S/, "Must not be blank");
const email = text().includes("@", "Must contain an @");
/** -0 becomes 0, as which it is stored. */
const age = z
  .int()
  .min(0)
  .overwrite((years) => years + 0);

/** User (specification, "User (users area)"). */
export const User = z
  .object({ id: z.int().min(1), name: text(), email: text(), age: z.int().min(0) })
  .meta({ id: "User" });
export type User = z.output<typeof User>;

export const userFields = ["id", "name", "email", "age"] as const satisfies readonly (keyof User)[];
export type UserField = (typeof userFields)[number];

/** The order of the fields is the order in which they are checked. All three are needed to replace, too. */
export const CreateUserRequest = z.object({ name, email, age }).meta({ id: "CreateUserRequest" });

/** A field that is absent or null keeps the record's current value. */
export const PatchUserRequest = z
  .object({ name: name.nullish(), email: email.nullish(), age: age.nullish() })
  .meta({ id: "PatchUserRequest" });
