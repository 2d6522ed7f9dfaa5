import * as z from "zod";

/** ApiResponse<T> (specification, "User (users area)"). A failure has `success` false, null `data` and an `error`. */
export function apiResponse<S extends z.ZodType>(data: S) {
  return z.object({ success: z.boolean(), data: data.nullable(), error: z.string().nullable() });
}
