import { App, Stack } from "aws-cdk-lib";
import { Annotations, Match } from "aws-cdk-lib/assertions";
import { expect, it } from "vitest";
import { type RoleName, roleNames, roles } from "../../lib/domain/roles.ts";

// As two more lines of the list. What callers with a service's own roles get, test/functions/access.slow.test.ts walks.
Object.assign(roles, { clerk: {}, auditor: { seesAll: true } });
roleNames.push(...(["clerk", "auditor"] as unknown as RoleName[]));
const { definitions } = await import("../../functions/definitions.ts");
const { cheapestCycle, trialOf } = await import("../../functions/trial-requests.ts");
const { ownRules, resolveAccess } = await import("../../infra/settings/access.ts");
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
    const accounts = { getProfile: async () => account };
    return authorize({ authorization: "Bearer x" }, { tokens, accounts }).then(
      () => [role],
      (error) => {
        expect(error).toEqual(errors[403]?.example);
        return [];
      },
    );
  });
  expect((await Promise.all(calls)).flat().toSorted()).toEqual(expected.toSorted());
});

it("the visitor and the trial of a rollout send what any account may, and a synthesis says if that is no record", () => {
  const warningsFor = (access: string) => {
    const stack = new Stack(new App(), "test");
    const stage = resolveStage("prod", { origins: "https://a.example", alarmEmail: "none", access });
    createVisitor(stack, stage, "https://a.example", []);
    return Annotations.fromStack(stack).findWarning("*", Match.anyValue()).length;
  };
  const cycle = cheapestCycle(ownRules);
  const [creation] = cycle?.requests ?? [];
  const area = Object.keys(definitions).find((name) => creation?.target.startsWith(`POST /${name}`));
  const closed = [`others:specified`, `${area}.read:anyone`, `${area}.write:admin`];
  expect(trialOf(area ?? "", ownRules).cycles).not.toEqual([]);
  expect(trialOf(area ?? "", resolveAccess(closed)).cycles).toEqual([]);
  // Areas of one's own may have rules that leave a record, and there may be one area only.
  const others = [closed, ["clerk"]].map((entries) => {
    const other = cheapestCycle(resolveAccess(entries))?.requests[0]?.target;
    expect(warningsFor(entries.join())).toBe(other === undefined ? 1 : 0);
    return other;
  });
  expect(others[0]).not.toBe(creation?.target);
});
