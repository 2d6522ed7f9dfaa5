import { expect } from "vitest";
import type { ApiResponse } from "./conformance.ts";

/** Expects a 422 with these errors, each as its field and type: `body.title missing`. */
export function expectInvalid({ status, body }: ApiResponse, errors: readonly string[]): void {
  expect(status).toBe(422);
  expect(body.details.map(({ field, type }: Record<string, string>) => `${field} ${type}`)).toEqual(errors);
}
