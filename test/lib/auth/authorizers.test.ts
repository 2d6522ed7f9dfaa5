import { describe, expect, it } from "vitest";
import { admin, anyone, type BearerDependencies, bearer } from "../../../lib/auth/authorizers.ts";
import { Tokens } from "../../../lib/auth/tokens.ts";
import { unavailable } from "../../../lib/aws.ts";
import type { TokenAccount } from "../../../lib/repositories/accounts/account-items.ts";

const stored: Record<string, TokenAccount | "deleted"> = Object.fromEntries(
  ["user", "admin", "Admin", "administrator"].map((role) => [
    role,
    { username: role, email: `${role}@example.com`, role, tokenVersion: 0 },
  ]),
);

const tokens = new Tokens({ secrets: async () => ["secret"], now: () => new Date() });
const dependencies: BearerDependencies = { tokens, accounts: { getProfile: async (name) => stored[name] } };

describe.each([
  ["bearer", bearer],
  ["admin", admin],
])("the authorizer %s", (_, authorizer) => {
  it.each(["Bearer", "bearer", "Bearer "])(
    "accepts the scheme %s and returns the account",
    async (scheme) => {
      const headers = { authorization: `${scheme} ${await tokens.issue("admin")}` };
      expect(await authorizer.authorize(headers, dependencies)).toEqual({
        username: "admin",
        email: "admin@example.com",
        role: "admin",
      });
    },
  );

  it.each(["Bearer a, Bearer b", "x Bearer y", "Bearer "])(
    "rejects the header %j, even if every token is valid",
    async (authorization) => {
      const everyToken = {
        ...dependencies,
        tokens: { verify: async () => ({ username: "admin", version: 0 }) },
      };
      await expect(authorizer.authorize({ authorization }, everyToken)).rejects.toMatchObject({
        code: "Unauthorized",
      });
    },
  );

  it.each([
    ["from before a change of the password", "again", 1],
    ["with a version that is no number", "admin", "0" as never],
    ["of a deleted account", "deleted", 0],
  ])("rejects a token %s", async (_, username, version) => {
    const again = { username: "again", email: "again@example.com", role: "admin", tokenVersion: 2 };
    const all = { ...stored, again, deleted: "deleted" as const };
    const accounts = { getProfile: async (name: string) => all[name as keyof typeof all] };
    const headers = { authorization: `Bearer ${await tokens.issue(username, version)}` };
    await expect(authorizer.authorize(headers, { tokens, accounts })).rejects.toMatchObject({
      code: "Unauthorized",
      message: "Could not validate credentials",
    });
  });

  it("rejects an unknown user with NotFound", async () => {
    const headers = { authorization: `Bearer ${await tokens.issue("nobody")}` };
    await expect(authorizer.authorize(headers, dependencies)).rejects.toMatchObject({
      code: "NotFound",
      message: "User not found",
    });
  });
});

it.each(["user", "Admin", "administrator"])("the role %s is no administrator's", async (role) => {
  const headers = { authorization: `Bearer ${await tokens.issue(role)}` };
  expect(await bearer.authorize(headers, dependencies)).toMatchObject({ role });
  await expect(admin.authorize(headers, dependencies)).rejects.toMatchObject({
    code: "Forbidden",
    message: "Admin access required",
  });
});

describe("the authorizer anyone", () => {
  const isAdmin = async (authorization: string | undefined, verify = tokens.verify.bind(tokens)) => {
    const headers = authorization === undefined ? {} : { authorization };
    return (await anyone.authorize(headers, { ...dependencies, tokens: { verify } }))();
  };

  it("tells an administrator from everybody else", async () => {
    expect(await isAdmin(`Bearer ${await tokens.issue("admin")}`)).toBe(true);
    for (const username of ["user", "Admin", "administrator", "nobody"])
      expect(await isAdmin(`Bearer ${await tokens.issue(username)}`)).toBe(false);
    for (const header of [undefined, "", "Basic YTpi", "Bearer x"]) expect(await isAdmin(header)).toBe(false);
  });

  it("fails if it cannot know, instead of denying an administrator", async () => {
    const failing = async () => Promise.reject(unavailable("The secret store"));
    await expect(isAdmin("Bearer x", failing)).rejects.toMatchObject({ code: "ServiceUnavailable" });
  });

  it("reads no token before it is asked", async () => {
    const verify = async () => Promise.reject(new Error("It was read."));

    await anyone.authorize({ authorization: "Bearer x" }, { ...dependencies, tokens: { verify } });
  });
});
