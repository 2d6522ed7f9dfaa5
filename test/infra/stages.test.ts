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
      areaSettings: { refusedPasswords: "", reservedUsernames: "" },
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
      access: { others: "owner", accounts: { create: "admin" } },
      origins: [origins, "https://b.example"],
      browserClients: true,
      provisionedConcurrency: { accounts: 2, login: 1 },
      tables: { accounts: `${SERVICE_NAME}-prod-accounts-restored` },
    };
    const texts = {
      alarmEmail: "none",
      access: "others:owner,accounts.create:admin",
      origins: `${origins},https://b.example`,
      browserClients: "true",
      provisionedConcurrency: "accounts:2,login:1",
      tables: `accounts:${SERVICE_NAME}-prod-accounts-restored`,
    };
    expect(resolveStage("prod", values)).toEqual(resolveStage("prod", texts));
  });

  it("of dev uses tables that begin with an area, after which no stage may be named", () => {
    for (const name of ["accounts-restored", "AccountsTable12345678-1A"])
      expect(resolveStage("dev", { tables: { accounts: `${SERVICE_NAME}-dev-${name}` } }).tables.size).toBe(
        1,
      );
    expect(() => resolveStage("dev-accounts", {})).toThrow('-c stage=… must not be "dev-accounts"');
    const own = { accounts: `${SERVICE_NAME}-dev-bob-restored` };
    expect(resolveStage("dev-bob", { tables: own }).tables.size).toBe(1);
  });

  it("uses other tables than its own where they are named", () => {
    const tables = `accounts:${SERVICE_NAME}-prod-p_1.2`;
    expect(resolveStage("prod", { ...required, tables }).tables).toEqual(
      new Map([["accounts", `${SERVICE_NAME}-prod-p_1.2`]]),
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
    [{ tracing: true }, { tracing: true }],
    [
      { issuer: { url: "https://a.example/x/", audience: "https://api:8" } },
      { issuer: { url: "https://a.example/x/", audience: "https://api:8", algorithms: ["RS256", "ES256"] } },
    ],
    [
      { issuer: "url:http://localhost:9,audience:a,role:x.y,algorithms:PS256 EdDSA,login:closed" },
      { issuer: { role: "x.y", algorithms: ["PS256", "EdDSA"], login: "closed" } },
    ],
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
    ...[
      "https://a.example",
      "url:https://a.example",
      "audience:a",
      "url:http://a.example,audience:a",
      "url:https://a.example?b,audience:a",
      'url:https://a.example/",audience:a',
      "url:https://a.example,audience:a,algorithms:HS256",
      "url:https://a.example,audience:a,algorithms:RS256 none",
      "url:https://a.example,audience:a,login:open",
      "url:https://a.example,audience:a,jku:b",
    ].map((issuer): [StageSettings, string] => [{ issuer }, "must have a url and an audience"]),
    [{ logRetention: 31 }, "days out of 1, 3, 5"],
    [{ reservedUsernames: "a b" }, "must be usernames"],
    [{ refusedPasswords: "true" }, "must be none or most-used"],
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
    [{ tracing: "yes" }, "true, false, 1 or 0"],
    [{ rollout: "linear" }, "canary or all-at-once"],
    ...["", "login", "login:0", "login:1.5", "login:1;accounts:2"].map(
      (provisionedConcurrency): [StageSettings, string] => [
        { provisionedConcurrency },
        "functions and numbers",
      ],
    ),
    ...[
      "",
      "accounts",
      "accounts:",
      `account:${SERVICE_NAME}-dev-a`,
      `accounts:${SERVICE_NAME}-dev-a b`,
      `accounts:${SERVICE_NAME}-dev-a,accounts:${SERVICE_NAME}-dev-b`,
    ].map((tables): [StageSettings, string] => [{ tables }, "areas with a table each"]),
    [{ tables: `accounts:${SERVICE_NAME}-prod-a` }, `must name tables that begin with ${SERVICE_NAME}-dev-`],
    [
      { tables: `accounts:${SERVICE_NAME}-dev-bob-AccountsTable12345678-1A` },
      "not name a table of the stage dev-bob",
    ],
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

  it("that closes registration closes it in every function that a gateway sends it to", () => {
    const { access } = resolveStage("dev", { access: "specified,accounts.create:admin" });
    const names = gatewayFunctions.filter((name) => hasGuards(name, access));
    expect(names).toEqual(expect.arrayContaining(["accounts", "fallback"]));
    expect(names).not.toContain("system");
  });

  it.each([
    ["owner,anyone", "must have one rule for others, not two"],
    ["owner,others:anyone", "must have one rule for others, not two"],
    ["owner,accounts.create:owner", "must not be owner for accounts, whose records no route shows"],
    ["account,login:admin", "must be specified, one of the rules"],
    ["accounts.create:specified", "must be specified, one of the rules"],
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
