import { describe, expect, it, vi } from "vitest";
import { admin, anyone, type BearerDependencies, bearer } from "../../../lib/auth/authorizers.ts";
import { Tokens } from "../../../lib/auth/tokens.ts";
import { unavailable } from "../../../lib/aws.ts";
import type { TokenAccount } from "../../../lib/repositories/accounts/account-items.ts";

const account = (role: string) => ({ username: role, email: `${role}@example.com`, role, tokenVersion: 0 });
const roles = ["user", "admin", "Admin", "administrator"];
const profiles: Readonly<Record<string, TokenAccount | "deleted">> = {
  ...Object.fromEntries(roles.map((role) => [role, account(role)])),
  changed: { ...account("admin"), tokenVersion: 2 },
  deleted: "deleted",
};

const tokens = new Tokens({ secrets: async () => ["secret"], now: () => new Date() });
const dependencies: BearerDependencies = { tokens, accounts: { getProfile: async (name) => profiles[name] } };
const headersOf = async (username: string, version?: number) => ({
  authorization: `Bearer ${await tokens.issue(username, version)}`,
});

describe.each([
  ["bearer", bearer],
  ["admin", admin],
])("the authorizer %s", (_, { authorize }) => {
  it.each(["Bearer", "bearer", "Bearer "])("takes the scheme %s and returns the account", async (scheme) => {
    const headers = { authorization: `${scheme} ${await tokens.issue("admin")}` };
    const { tokenVersion: _, ...expected } = account("admin");
    expect(await authorize(headers, dependencies)).toEqual(expected);
  });

  it.each(["Bearer a, Bearer b", "x Bearer y", "Bearer "])("rejects the header %j", async (header) => {
    const verify = async () => ({ username: "admin", version: 0 });
    const everyToken = { ...dependencies, tokens: { verify } };
    await expect(authorize({ authorization: header }, everyToken)).rejects.toMatchObject({
      code: "Unauthorized",
    });
  });

  const invalid = { code: "Unauthorized", message: "Could not validate credentials" };
  it.each([
    ["from before a change of the password", "changed", 1, invalid],
    ["with a version that is no number", "admin", "0" as never, invalid],
    ["of a deleted account", "deleted", 0, invalid],
    ["of an unknown user", "nobody", 0, { code: "NotFound", message: "User not found" }],
  ])("rejects a token %s", async (_, username, version, expected) => {
    const headers = await headersOf(username, version);
    await expect(authorize(headers, dependencies)).rejects.toMatchObject(expected);
  });
});

it.each(["user", "Admin", "administrator"])("the role %s is no administrator's", async (role) => {
  const headers = await headersOf(role);
  expect(await bearer.authorize(headers, dependencies)).toMatchObject({ role });
  const forbidden = { code: "Forbidden", message: "Admin access required" };
  await expect(admin.authorize(headers, dependencies)).rejects.toMatchObject(forbidden);
});

describe("the authorizer anyone", () => {
  const ask = (authorization: string | undefined, verify = tokens.verify.bind(tokens)) => {
    const headers = authorization === undefined ? {} : { authorization };
    return anyone.authorize(headers, { ...dependencies, tokens: { verify } });
  };

  it("tells an administrator from everybody else", async () => {
    const isAdmin = async (header: string | undefined) => (await ask(header))();
    expect(await isAdmin((await headersOf("admin")).authorization)).toBe(true);
    for (const username of ["user", "Admin", "administrator", "nobody"])
      expect(await isAdmin((await headersOf(username)).authorization)).toBe(false);
    for (const header of [undefined, "", "Basic YTpi", "Bearer x"]) expect(await isAdmin(header)).toBe(false);
  });

  it("reads no token before it is asked, and fails if it cannot know", async () => {
    const verify = vi.fn(() => Promise.reject(unavailable("The secret store")));
    const isAdmin = await ask("Bearer x", verify);
    expect(verify).not.toHaveBeenCalled();
    await expect(isAdmin()).rejects.toMatchObject({ code: "ServiceUnavailable" });
  });
});
