import { expect, it } from "vitest";
import { UserCreate } from "../../../lib/validators/account.ts";
import { document } from "../../support/infra/openapi.ts";

it("an operation states the pattern of an account's e-mail, which decides alone", () => {
  const { pattern = "", ...email } = document.components.schemas.UserCreate?.properties?.email ?? {};

  expect(email).toMatchObject({ type: "string", maxLength: 254 });
  for (const address of ["a@b.co", "First.Last+tag@Sub.Example.ORG", "ada@b", "@b.co", "a..b@c.de", "é@b.co"])
    expect(new RegExp(pattern).test(address)).toBe(UserCreate.shape.email.safeParse(address).success);
});
