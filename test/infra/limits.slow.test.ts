import { expect, it } from "vitest";
import { templateOf } from "../support/infra/templates.ts";

it("a service is refused with more reserved usernames than a function's environment can have", async () => {
  const reservedUsernames = Array.from({ length: 450 }, (_, i) => `name_${i}_reserved`).join();
  await expect(templateOf({ reservedUsernames })).rejects.toThrow(
    /bytes of the environment of .*\/AccountsFunction\/.*the largest variable, RESERVED_USERNAMES with \d/,
  );
});
