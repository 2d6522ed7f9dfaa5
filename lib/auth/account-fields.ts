import { messageOf } from "../http/field-errors.ts";
import { UserCreate } from "../validators/account.ts";

/** Why `POST /users/` would refuse a value, without repeating it; undefined if it is allowed. */
export function problemOf(field: "username" | "email" | "password", value: string): string | undefined {
  const { error } = UserCreate.shape[field].safeParse(value, { reportInput: true, error: messageOf });
  return error?.issues.map(({ message }) => message).join("; ");
}
