import * as z from "zod/mini";
import { SECRET, UserCreate } from "./account.ts";
import { named, withMetadata } from "./metadata.ts";
import { text } from "./text.ts";

const token = withMetadata(text({ min: 1, max: 100 }), SECRET);

export const PasswordResetRequest = named(
  "PasswordResetRequest",
  z.object({ username: text({ min: 1, max: 50 }) }),
);
export const PasswordResetCompletion = named(
  "PasswordResetCompletion",
  z.object({ token, password: UserCreate.shape.password }),
);
export const ConfirmationToken = named("ConfirmationToken", z.object({ token }));
export const AddressStatus = named("AddressStatus", z.object({ email: z.string(), confirmed: z.boolean() }));
