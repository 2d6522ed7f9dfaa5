import { App, Stack } from "aws-cdk-lib";
import { Annotations, Match } from "aws-cdk-lib/assertions";
import { expect, it } from "vitest";
import { type RoleName, roleNames, roles } from "../../lib/domain/roles.ts";

// As two more lines of the list. What callers with a service's own roles get, test/functions/access.slow.test.ts walks.
Object.assign(roles, { clerk: {}, auditor: { seesAll: true } });
roleNames.push(...(["clerk", "auditor"] as unknown as RoleName[]));
const { allRoutes, definitions } = await import("../../functions/definitions.ts");
const { cheapestCycle, trialOf } = await import("../../functions/trial-requests.ts");
const { accessEntry, accessProblem, ownRules, resolveAccess, withAccess } = await import(
  "../../infra/settings/access.ts"
);
const { accessRules } = await import("../../infra/openapi/start.ts");
const { resolveStage } = await import("../../infra/settings/stages.ts");
const { createVisitor } = await import("../../infra/visitor.ts");
const { withRole } = await import("../../lib/auth/authorizers.ts");

it.each([
  ["user", [...roleNames, "removed"]],
  ["clerk", ["clerk", "admin"]],
  ["admin", ["admin"]],
])("the role %s is needed by routes that let in %j", async (needed, expected) => {
  const { authorize, errors } = withRole(needed as RoleName);
  const calls = [...roleNames, "removed"].map(async (role) => {
    const account = { username: "ada", email: "", role, tokenVersion: 0 };
    const tokens = { verify: async () => ({ username: "ada", version: 0 }) };
    const caller = authorize(
      { authorization: "Bearer x" },
      { tokens, accounts: { getProfile: async () => account } },
    );
    return caller.then(
      () => [role],
      (error) => {
        expect(error).toEqual(errors[403]?.example);
        return [];
      },
    );
  });
  expect((await Promise.all(calls)).flat().toSorted()).toEqual(expected.toSorted());
});

it.each([
  ["users:clerk", undefined],
  ["users:owner,users.update:auditor", undefined],
  ["users:clerk,users.delete:admin", undefined],
  [
    "users.get:owner,users.list:owner,users.create:owner,users.update:clerk,users.delete:owner",
    /users.update \(clerk\).* \(owner\)$/,
  ],
  ["users:clerk,users.update:auditor", /users.update \(auditor\).* \(clerk\)$/],
  ["users:clerk,users.update:user", /users.update \(user\).* \(clerk\)$/],
])("the rules %s are taken by a stage, unless somebody changes records unseen", (text, problem) => {
  const entries = text.split(",");
  expect(entries.filter((entry) => !accessEntry.test(entry))).toEqual([]);
  expect(accessProblem(entries) ?? "").toMatch(problem ?? /^$/);
});

it("rules of a role are in the document", () => {
  const routes = withAccess(allRoutes, resolveAccess(["users:clerk", "others:specified"]));
  const who = "an account with the role `clerk`, or an administrator";
  const deletion = routes.find(({ key }) => key === "DELETE /users/{id}");
  expect(deletion?.description).toContain(`This deployment requires the token of ${who}.`);
  expect(accessRules(routes).filter((line) => line.includes("clerk"))).toEqual([
    expect.stringMatching(
      /^\*\*With the token of an account with the role `clerk`, or an administrator:\*\* `GET \/users`/,
    ),
  ]);
});

it("the visitor and the trial of a rollout send what any account may, and a synthesis says if that is no record", () => {
  const warningsFor = (access: string) => {
    const stack = new Stack(new App(), "test");
    const stage = resolveStage("prod", { origins: "https://a.example", alarmEmail: "none", access });
    createVisitor(stack, stage, "https://a.example", []);
    return Annotations.fromStack(stack).findWarning("*", Match.anyValue()).length;
  };
  const cycle = cheapestCycle(ownRules);
  const area = Object.keys(definitions).find((name) =>
    cycle?.requests[0]?.target.startsWith(`POST /${name}`),
  );
  const closed = [`others:specified`, `${area}.read:anyone`, `${area}.write:admin`];
  expect(trialOf(area ?? "", ownRules).cycles).not.toEqual([]);
  expect(trialOf(area ?? "", resolveAccess(closed)).cycles).toEqual([]);
  const other = cheapestCycle(resolveAccess(closed))?.requests[0]?.target;
  expect(other).toMatch(/^POST /);
  expect(other).not.toBe(cycle?.requests[0]?.target);
  // Areas of one's own may have rules that leave a record.
  const isLeft = cheapestCycle(resolveAccess(["clerk"])) !== undefined;
  expect([closed.join(), "clerk"].map(warningsFor)).toEqual([0, isLeft ? 0 : 1]);
});
