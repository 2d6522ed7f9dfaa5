import * as z from "zod/mini";

/** ApiResponse<T> (specification, "User (users area)"). A failure has `success` false, null `data` and an `error`. */
export function apiResponse<S extends z.ZodMiniType>(data: S) {
  return z.object({ success: z.boolean(), data: z.nullable(data), error: z.nullable(z.string()) });
}
