import { describe, expect, it } from "vitest";
import { gatewayFunctions } from "../../functions/definitions.ts";
import { hasGuards } from "../../infra/lambdas.ts";
import { ownRules } from "../../infra/settings/access.ts";
import { type StageSettings, settingNames } from "../../infra/settings/settings.ts";
import { resolveStage } from "../../infra/settings/stages.ts";
import { SERVICE_NAME } from "../../lib/construct-ids.ts";

const origins = "https://www.example.com";
const mails = { alarmEmail: "ops@example.com", runbooks: "https://example.com" };
const required = { origins, alarmEmail: "none", access: "specified" };
const domain = "api.example.com";
const address = "https://www.example.com";
const hash = "0f".repeat(32);
const certificateArn = "arn:aws:acm:eu-west-1:123456789012:certificate/12345678-abcd";

describe("a stage", () => {
  it("has the specified defaults", () => {
    const specified = {
      browserClients: false,
      areaSettings: { usersList: "records", versionHeader: "api-version" },
      lambdaConcurrency: 0,
    };

    expect(resolveStage("dev", {})).toMatchObject({ ...specified, corsOrigins: ["*"], keepData: false });
    expect(resolveStage("prod", required)).toMatchObject({
      ...specified,
      corsOrigins: [origins],
      keepData: true,
    });
  });

  it.each(["dev", "prod"] as const)("of the file infra/stages/%s.ts is valid", async (name) => {
    const { settings }: { settings: StageSettings } = await import(`../../infra/stages/${name}.ts`);
    expect(settingNames).toEqual(expect.arrayContaining(Object.keys(settings)));
    // Prod needs settings that a service of one's own has.
    expect(resolveStage(name, { ...required, ...settings }).name).toBe(name);
  });

  it("of somebody's own has the settings of dev and another name", () => {
    expect(resolveStage("dev-alice", {})).toEqual({ ...resolveStage("dev", {}), name: "dev-alice" });
  });

  it("is read from values as from texts", () => {
    const values: StageSettings = {
      alarmEmail: "none",
      access: { others: "owner", users: { read: "anyone", write: "admin" } },
      origins: [origins, "https://b.example"],
      browserClients: true,
      backups: { days: 35 },
      tables: { users: `${SERVICE_NAME}-prod-users-restored` },
    };
    const texts = {
      alarmEmail: "none",
      access: "others:owner,users.read:anyone,users.write:admin",
      origins: `${origins},https://b.example`,
      browserClients: "true",
      backups: "days:35",
      tables: `users:${SERVICE_NAME}-prod-users-restored`,
    };
    expect(resolveStage("prod", values)).toEqual(resolveStage("prod", texts));
  });

  it("uses tables whose names begin like the stack's", () => {
    const tables = {
      users: `${SERVICE_NAME}-dev-users-restored`,
      accounts: `${SERVICE_NAME}-dev-AccountsTable12345678-1A`,
    };
    expect(resolveStage("dev", { tables }).tables.size).toBe(2);
    const own = { users: `${SERVICE_NAME}-dev-bob-restored` };
    expect(resolveStage("dev-bob", { tables: own }).tables.size).toBe(1);
  });

  it("uses other tables than its own where they are named", () => {
    const tables = `users:${SERVICE_NAME}-prod-users-restored,accounts:${SERVICE_NAME}-prod-p_1.2`;
    expect(resolveStage("prod", { ...required, tables }).tables).toEqual(
      new Map([
        ["users", `${SERVICE_NAME}-prod-users-restored`],
        ["accounts", `${SERVICE_NAME}-prod-p_1.2`],
      ]),
    );
    expect(resolveStage("prod", required).tables).toEqual(new Map());
  });

  it.each<[StageSettings, object]>([
    [
      { origins: "https://a.example,https://b.example:8443" },
      { corsOrigins: ["https://a.example", "https://b.example:8443"] },
    ],
    [{ browserClients: "true" }, { browserClients: true }],
    [{ browserClients: "0" }, { browserClients: false }],
    [{ usersList: "versioned" }, { areaSettings: { usersList: "versioned" } }],
    [{ versionHeader: "X-Api-Version" }, { areaSettings: { versionHeader: "x-api-version" } }],
    [{ lambdaConcurrency: "1000" }, { lambdaConcurrency: 1_000 }],
    [
      { logRetention: "30", anonymousLogs: "1" },
      { logRetention: 30, anonymousLogs: true },
    ],
    [{ reservedUsernames: "Sales,billing" }, { areaSettings: { reservedUsernames: "sales,billing" } }],
    [{}, { areaSettings: { refusedPasswords: "" } }],
    [
      { refusedPasswords: "most-used" },
      { areaSettings: { refusedPasswords: expect.stringMatching(/^password1,/) } },
    ],
    [{ backups: { days: 35 } }, { backups: { days: "35" } }],
    [
      { issuer: { url: "https://a.example/x/", audience: "https://api:8" } },
      { issuer: { url: "https://a.example/x/", audience: "https://api:8" } },
    ],
    [{ issuer: "url:http://localhost:9,audience:a,role:x.y" }, { issuer: { role: "x.y" } }],
    [
      { requestsPerSecond: "30", maxReadUnits: "1", maxWriteUnits: "2000000" },
      { requestsPerSecond: 30, maxReadUnits: 1, maxWriteUnits: 2_000_000 },
    ],
    [
      { monthlyBudget: "50", ...mails, stopAtBudget: true },
      { monthlyBudget: 50, ...mails, stopAtBudget: true },
    ],
    [{ address: "https://www.example.com/api" }, { address: "https://www.example.com/api" }],
    [{ address, trustedProxy: `address:x-real-ip,secret:${hash}` }, { address }],
    [{ address, trustedProxy: [`secret:${hash}`, "address:x-a", `secret:${hash}`] }, { address }],
    [{ domain, certificateArn }, { domain: { name: domain, certificateArn } }],
    [
      { domain, certificateArn, hostedZone: "Z0123456789" },
      { domain: { name: domain, certificateArn, hostedZone: "Z0123456789" } },
    ],
  ])("accepts %j", (settings, expected) => {
    expect(resolveStage("dev", settings)).toMatchObject(expected);
    expect(resolveStage("prod", { ...required, ...settings })).toMatchObject(expected);
  });

  it.each<[StageSettings, string]>([
    [{ origins: "" }, "origins, comma-separated"],
    [{ origins: "www.example.com" }, 'not "www.example.com"'],
    [{ origins: "https://www.example.com/path" }, "https://www.example.com"],
    ...[
      "https://*",
      "http://*",
      "https://*.example.com",
      "https://a.example,https://*",
      "ftp://a.example",
    ].map((origins): [StageSettings, string] => [{ origins }, "must be browser origins"]),
    ...["yes", "TRUE"].map((browserClients): [StageSettings, string] => [
      { browserClients },
      "true, false, 1 or 0",
    ]),
    ...["www.example.com", `${address}/`, `${address}/a?b`, "https://u@example.com"].map(
      (address): [StageSettings, string] => [{ address }, "must be the URL at which clients reach the API"],
    ),
    ...["secret:abc", `secret:${hash}`, "address:x-a", `secret:${hash},address:x-forwarded-for`].map(
      (trustedProxy): [StageSettings, string] => [{ trustedProxy, address }, "must be the SHA-256 hash"],
    ),
    [{ usersList: "both" }, "records or versioned"],
    ...[
      "https://a.example",
      "url:https://a.example",
      "audience:a",
      "url:http://a.example,audience:a",
      "url:https://a.example?b,audience:a",
      'url:https://a.example/",audience:a',
      "url:https://a.example,audience:a,jku:b",
    ].map((issuer): [StageSettings, string] => [{ issuer }, "must have a url and an audience"]),
    [{ logRetention: 31 }, "days out of 1, 3, 5"],
    [{ reservedUsernames: "a b" }, "must be usernames"],
    [{ refusedPasswords: "true" }, "must be none or most-used"],
    [{ versionHeader: "api version" }, "a header name"],
    ...["", "-1", "1.5", "all"].map((lambdaConcurrency): [StageSettings, string] => [
      { lambdaConcurrency },
      "quota of concurrent executions",
    ]),
    ...["", "API.example.com", "https://api.example.com", "api.example.com.", "localhost"].map(
      (name): [StageSettings, string] => [{ domain: name, certificateArn }, "a domain name"],
    ),
    ...["", "0", "-1", "1.5", "none"].flatMap((number): [StageSettings, string][] => [
      [{ requestsPerSecond: number }, "a number of requests per second"],
      [{ maxReadUnits: number }, "a number of read units per second"],
      [{ maxWriteUnits: number }, "a number of write units per second"],
      [{ monthlyBudget: number, alarmEmail: "ops@example.com" }, "a whole number of US dollars"],
    ]),
    ...[
      "",
      "35",
      "days:0",
      "copyTo:arn:aws:backup:eu-central-1:123456789012:backup-vault:v",
      "days:35,to:a",
    ].map((backups): [StageSettings, string] => [{ backups }, "how many days a backup is kept"]),
    [{ alarms: "yes" }, "true, false, 1 or 0"],
    [{ rollout: "linear" }, "canary or all-at-once"],
    ...["", "users", "users:", `user:${SERVICE_NAME}-dev-a`, `users:${SERVICE_NAME}-dev-a b`].map(
      (tables): [StageSettings, string] => [{ tables }, "areas with a table each"],
    ),
    // Each area and each table once.
    [{ tables: `users:${SERVICE_NAME}-dev-a,users:${SERVICE_NAME}-dev-b` }, "areas with a table each"],
    [{ tables: `users:${SERVICE_NAME}-dev-a,accounts:${SERVICE_NAME}-dev-a` }, "areas with a table each"],
    [{ tables: `users:${SERVICE_NAME}-prod-a` }, `must name tables that begin with ${SERVICE_NAME}-dev-`],
    [{ alarmEmail: "ops", monthlyBudget: "50" }, "an e-mail address"],
    [{ certificateArn: "certificate/1", domain }, "the domain's certificate"],
    [{ hostedZone: "example.com", domain, certificateArn }, "a hosted zone"],
  ])("rejects %j, and says what is valid", (settings, message) => {
    const [name] = Object.keys(settings);
    expect(() => resolveStage("dev", settings)).toThrow(`-c ${name}=… must `);
    expect(() => resolveStage("dev", settings)).toThrow(message);
  });

  it.each([
    ["prod", undefined, "-c origins=… is required for prod"],
    ["staging", undefined, '-c stage=… must be dev, prod, or a name such as dev-alice, not "staging"'],
  ])("rejects %s with the origins %s, and says what to pass", (stage, origins, message) => {
    expect(() => resolveStage(stage, { origins })).toThrow(message);
  });

  it("of prod says who gets the alarms, or that nobody does", () => {
    expect(() => resolveStage("prod", { origins })).toThrow(
      /^-c alarmEmail=… is required for prod: .* ops@example\.com, or none /,
    );
    expect(resolveStage("prod", required).alarmEmail).toBeUndefined();
    expect(() => resolveStage("prod", { ...required, monthlyBudget: "50" })).toThrow("required for a budget");
  });

  it("of prod says who may call what, or that everybody may", () => {
    expect(() => resolveStage("prod", { ...required, access: undefined })).toThrow(
      /^-c access=… is required for prod: .* owner, or specified, /,
    );
    expect(resolveStage("prod", required).access).toEqual(ownRules);
  });

  it.each(["accounts.create:admin", "users.read:anyone"])(
    "with the rules %s lets accounts call the rest",
    (access) => {
      const account = { create: "account", update: "account", delete: "account" };
      for (const stage of ["dev", "prod"])
        expect(resolveStage(stage, { ...required, access }).access.users).toMatchObject(account);
      for (const [others, rule] of [
        ["others:account", "account"],
        ["others:specified", undefined],
        ["anyone", undefined],
      ]) {
        const { users } = resolveStage("prod", { ...required, access: `${access},${others}` }).access;
        expect(users?.delete === "anyone" ? undefined : users?.delete, others).toBe(rule);
      }
    },
  );

  it("that closes registration closes it in every function that a gateway sends it to", () => {
    const { access } = resolveStage("dev", { access: "specified,accounts.create:admin" });
    const names = gatewayFunctions.filter((name) => hasGuards(name, access));
    expect(names).toEqual(expect.arrayContaining(["accounts", "users", "fallback"]));
    expect(names).not.toContain("system");
  });

  it.each([
    ["owner,anyone", "must have one rule for others, not two"],
    ["owner,others:anyone", "must have one rule for others, not two"],
    ["owner,users:account,users:admin", "must have one rule for users, not two"],
    [
      "owner,users.update:account",
      "must not let in more to users.update (account) than may read a record (owner)",
    ],
    [
      "owner,users.delete:anyone",
      "must not let in more to users.delete (anyone) than may read a record (owner)",
    ],
    [
      "account,users.get:admin",
      "must not let in more to users.list (account) than may read a record (admin)",
    ],
    [
      "admin,users.update:owner",
      "must not let in more to users.update (owner) than may read a record (admin)",
    ],
    ["owner,users.create:anyone", "must not be owner for users unless creating and deleting need an account"],
    ["owner,accounts.create:owner", "must not be owner for accounts, whose records no route shows"],
    ["account,login:admin", "must be specified, one of the rules"],
    ["users:specified", "must be specified, one of the rules"],
  ])("refuses the rules %s, in every stage", (access, message) => {
    for (const stage of ["dev", "prod"])
      expect(() => resolveStage(stage, { ...required, access }), stage).toThrow(`-c access=… ${message}`);
  });

  it.each<[StageSettings, string]>([
    [{ domain }, "-c certificateArn=… is required for a domain"],
    [{ trustedProxy: `secret:${hash},address:x-a` }, "-c address=… is required for a trustedProxy"],
    [{ certificateArn }, "-c certificateArn=… is only used together with a domain"],
    [{ hostedZone: "Z0123456789" }, "-c hostedZone=… is only used together with a domain"],
    [{ rollout: "canary" }, "-c rollout=… must be all-at-once in dev"],
    [{ monthlyBudget: "50" }, "-c alarmEmail=… is required for a budget"],
    [{ alarmEmail: "ops@example.com" }, "-c alarmEmail=… is only used with alarms"],
    [{ alarmEmail: "ops@example.com", alarms: true }, "-c runbooks=… is required for alarms by mail"],
    [{ stopAtBudget: true }, "-c stopAtBudget=… is only used together with a monthlyBudget"],
  ])("rejects %j, which is incomplete", (settings, message) => {
    expect(() => resolveStage("dev", settings)).toThrow(message);
  });
});
