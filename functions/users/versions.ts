import { ApiError } from "../../lib/domain/errors.ts";
import { type User, type UserField, userFields } from "../../lib/validators/user.ts";
import { usersV1, usersV2 } from "../../lib/validators/users-list.ts";
import type { UsersListFormat } from "./settings.ts";

/**
 * Chooses the body of `GET /users` (specification, "Header style").
 *
 * @param header the value of the version header; without it the deployment's default counts
 * @returns a function that wraps users in the version's envelope, or returns them as they are
 * @throws ApiError `InvalidArgument` for an unsupported version
 */
export function envelopeOf(header: string | undefined, defaultFormat: UsersListFormat) {
  if (header === undefined)
    return defaultFormat === "versioned" ? usersV1 : (users: Partial<User>[]) => users;
  if (header === "1.0") return usersV1;
  if (header === "2.0") return usersV2;
  throw unsupportedVersion();
}

export function unsupportedVersion(): ApiError {
  return new ApiError("InvalidArgument", "Unsupported API version");
}

/** The user with only some fields, all by default, in their usual order. */
export function pickFields(user: User, fields: readonly UserField[] | undefined): Partial<User> {
  if (fields === undefined) return user;
  return Object.fromEntries(
    userFields.flatMap((field) => (fields.includes(field) ? [[field, user[field]]] : [])),
  );
}
