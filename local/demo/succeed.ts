import type { Result } from "../../client/index.js";

/** Returns the body of a success. @throws ApiError if the request failed */
export async function succeed<T>(request: Promise<Result<T>>): Promise<T> {
  const { data, error } = await request;
  if (error) throw error;
  return data;
}
