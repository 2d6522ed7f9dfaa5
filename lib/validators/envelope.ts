import * as z from "zod";

/**
 * ApiResponse<T> (specification, "User (users area)"). A failure has `success` false, no data and an error.
 *
 * @param schema what a success carries as `data`
 */
export function apiResponse<S extends z.ZodType>(schema: S) {
  return z.object({ success: z.boolean(), data: schema.nullable(), error: z.string().nullable() });
}
