import { expect, it } from "vitest";
import { type RoleName, roleNames, roles } from "../../lib/domain/roles.ts";

// As two more lines of the list.
Object.assign(roles, { clerk: {}, auditor: { seesAll: true } });
roleNames.push(...(["clerk", "auditor"] as unknown as RoleName[]));
const { allRoutes } = await import("../../functions/definitions.ts");
const { accessEntry, accessProblem, resolveAccess, withAccess } = await import(
  "../../infra/settings/access.ts"
);
const { accessRules } = await import("../../infra/openapi/start.ts");
const { resolveStage } = await import("../../infra/settings/stages.ts");

const required = { origins: "https://www.example.com", alarmEmail: "none" };

it.each([
  ["accounts.create:admin", "users"],
  ["users.read:anyone", "users.create, users.update, users.delete"],
])("a stage with the rules %s lets accounts call the rest; prod has to say it", (access, missing) => {
  const account = { create: "account", update: "account", delete: "account" };
  expect(resolveStage("dev", { access }).access.users).toMatchObject(account);
  const refused = new RegExp(
    `^-c access=… must in prod have a rule for (.*, )?${missing}, .* others:account$`,
  );
  expect(() => resolveStage("prod", { ...required, access })).toThrow(refused);
  const rules = { "others:account": "account", "others:specified": undefined, anyone: undefined };
  for (const [others, rule] of Object.entries(rules)) {
    const { users } = resolveStage("prod", { ...required, access: `${access},${others}` }).access;
    expect(users?.delete === "anyone" ? undefined : users?.delete, others).toBe(rule);
  }
});

it.each([
  ["users:clerk", /^$/],
  ["users:owner,users.update:auditor", /^$/],
  ["users:clerk,users.delete:admin", /^$/],
  [
    "users.get:owner,users.list:owner,users.create:owner,users.update:clerk,users.delete:owner",
    /users.update \(clerk\).* \(owner\)$/,
  ],
  ["users:clerk,users.update:auditor", /users.update \(auditor\).* \(clerk\)$/],
  ["users:clerk,users.update:user", /users.update \(user\).* \(clerk\)$/],
  ["owner,users:account,users:admin", "must have one rule for users, not two"],
  ["owner,users.write:admin,users.delete:account", "must have one rule for users.delete, not two"],
  ["owner,users:admin,users.read:admin,users.write:admin", "must not have a rule for users, which decides"],
  ["owner,users.update:account", /^must not let in more to users.update \(account\).* \(owner\)$/],
  ["owner,users.delete:anyone", /^must not let in more to users.delete \(anyone\).* \(owner\)$/],
  ["account,users.get:admin", "must not let in more to users.list (account) than may read a record (admin)"],
  ["admin,users.update:owner", "must not let in more to users.update (owner) than may read a record (admin)"],
  ["owner,users.create:anyone", "must not be owner for users unless creating and deleting need an account"],
])("the rules %s are taken by a stage, or refused for a reason", (text, problem) => {
  const entries = text.split(",");
  expect(entries.filter((entry) => !accessEntry.test(entry))).toEqual([]);
  expect(accessProblem(entries, false) ?? "").toMatch(problem);
});

it("rules of a role are in the document", () => {
  const routes = withAccess(allRoutes, resolveAccess(["users:clerk", "others:specified"]));
  const who = "an account with the role `clerk`, or an administrator";
  const deletion = routes.find(({ key }) => key === "DELETE /users/{id}");
  expect(deletion?.description).toContain(`This deployment requires the token of ${who}.`);
  const [line = "", ...others] = accessRules(routes).filter((each) => each.includes("clerk"));
  expect([line.startsWith(`**With the token of ${who}:** \`GET /users\``), others]).toEqual([true, []]);
});

it("the rule of a stage for an operation is followed before one for an area, and this before one for all", () => {
  const ruleOf = (entries: string[]) => resolveAccess(entries).users?.get;
  expect([["admin"], ["users:account"], ["users.read:anyone", "users:admin"]].map(ruleOf)).toEqual([
    "admin",
    "account",
    "anyone",
  ]);
});
