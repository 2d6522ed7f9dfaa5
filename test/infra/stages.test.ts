import { describe, expect, it } from "vitest";
import { gatewayFunctions } from "../../functions/definitions.ts";
import { hasGuards } from "../../infra/lambdas.ts";
import { ownRules } from "../../infra/settings/access.ts";
import { type StageSettings, settingNames } from "../../infra/settings/settings.ts";
import { resolveStage } from "../../infra/settings/stages.ts";
import { SERVICE_NAME } from "../../lib/construct-ids.ts";

const origins = "https://www.example.com";
const mails = { alarmEmail: "ops@example.com", runbooks: "https://example.com", stopAtBudget: true };
const required = { origins, alarmEmail: "none", access: "specified" };
const domain = "api.example.com";
const address = "https://www.example.com";
const secret = `secret:${"0f".repeat(32)}`;
const hostedZone = "Z0123456789";
const certificateArn = "arn:aws:acm:eu-west-1:123456789012:certificate/12345678-abcd";

const own = `accounts:${SERVICE_NAME}-dev-a`;
const bobs = `accounts:${SERVICE_NAME}-dev-bob-AccountsTable12345678-1A`;
const noCount = ["", "0", "-1", "1.5", "none"];
const open = ["https://*", "http://*", "https://*.example.com", "https://a.example,https://*"];
const withIssuer = "url:https://a.example,audience:a";
/** Values of a setting, beside others, by what is said of them. */
type Invalid = readonly [keyof StageSettings, string, readonly StageSettings[string][], StageSettings?];
const invalid: readonly Invalid[] = [
  ["origins", "must be browser origins", ["", "https://a.example/path", "ftp://a.example", ...open]],
  ["origins", 'not "www.example.com"', ["www.example.com"]],
  ["browserClients", "true, false, 1 or 0", ["yes", "TRUE"]],
  ["address", "must be the URL at which clients reach the API", ["www.example.com", "https://u@example.com"]],
  ["address", "must be the URL at which clients reach the API", [`${address}/`, `${address}/a?b`]],
  ["trustedProxy", "must be the SHA-256 hash", ["secret:abc", secret], { address }],
  ["trustedProxy", "the SHA-256 hash", ["address:x-a", `${secret},address:x-forwarded-for`], { address }],
  ["issuer", "must have a url and an audience", ["https://a.example", "url:https://a.example", "audience:a"]],
  ["issuer", "a url", ["http://a.example", "https://a.example?b"].map((url) => `url:${url},audience:a`)],
  ["issuer", "must have a url and an audience", ['url:https://a.example/",audience:a']],
  ["issuer", "a url", ["HS256", "RS256 none"].map((names) => `${withIssuer},algorithms:${names}`)],
  ["issuer", "must have a url and an audience", [`${withIssuer},login:open`, `${withIssuer},jku:b`]],
  ["logRetention", "days out of 1, 3, 5", [31]],
  ["reservedUsernames", "must be usernames", ["a b"]],
  ["refusedPasswords", "must be none or most-used", ["true"]],
  ["lambdaConcurrency", "quota of concurrent executions", ["", "-1", "1.5", "all"]],
  ["domain", "a domain name", ["", "https://api.example.com", "localhost"], { certificateArn }],
  ["domain", "a domain name", ["API.example.com", "api.example.com."], { certificateArn }],
  ["requestsPerSecond", "a number of requests per second", noCount],
  ["maxReadUnits", "a number of read units per second", noCount],
  ["maxWriteUnits", "a number of write units per second", noCount],
  ["monthlyBudget", "a whole number of US dollars", noCount, { alarmEmail: "ops@example.com" }],
  ["backups", "how many days a backup is kept", ["", "35", "days:0", "copyTo:arn", "days:35,to:a"]],
  ["tracing", "true, false, 1 or 0", ["yes"]],
  ["rollout", "canary or all-at-once", ["linear"]],
  ["provisionedConcurrency", "functions and numbers", ["", "login", "login:0", "login:1.5", "login:1;a:2"]],
  ["tables", "areas with a table each", ["", "accounts", "accounts:", own.replace("accounts", "account")]],
  // Each area and each table once.
  ["tables", "areas with a table each", [`${own} b`, `${own},${own}b`]],
  ["tables", `must name tables that begin with ${SERVICE_NAME}-dev-`, [`accounts:${SERVICE_NAME}-prod-a`]],
  ["tables", "not name a table of the stage dev-bob", [bobs]],
  ["alarmEmail", "an e-mail address", ["ops"], { monthlyBudget: "50" }],
  ["certificateArn", "the domain's certificate", ["certificate/1"], { domain }],
  ["hostedZone", "a hosted zone", ["example.com"], { domain, certificateArn }],
];

describe("a stage", () => {
  it("has the specified defaults", () => {
    const areaSettings = { refusedPasswords: "", reservedUsernames: "" };
    const specified = { browserClients: false, areaSettings, lambdaConcurrency: 0, alarmEmail: undefined };
    const prod = { ...specified, corsOrigins: [origins], keepData: true };
    expect(resolveStage("dev", {})).toMatchObject({ ...specified, corsOrigins: ["*"], keepData: false });
    expect(resolveStage("prod", required)).toMatchObject(prod);
    expect(resolveStage("prod", required).access).toEqual(ownRules);
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
    const tables = { accounts: `${SERVICE_NAME}-dev-AccountsTable12345678-1A` };
    expect(resolveStage("dev", { tables }).tables).toEqual(new Map(Object.entries(tables)));
    expect(resolveStage("dev", {}).tables).toEqual(new Map());
    expect(() => resolveStage("dev-accounts", {})).toThrow('-c stage=… must not be "dev-accounts"');
    const own = { accounts: `${SERVICE_NAME}-dev-bob-restored` };
    expect(resolveStage("dev-bob", { tables: own }).tables.size).toBe(1);
  });

  it.each<[StageSettings, object]>([
    [{ origins: "https://a.io,https://b.io:8443" }, { corsOrigins: ["https://a.io", "https://b.io:8443"] }],
    [{ browserClients: "true" }, { browserClients: true }],
    [{ browserClients: "0" }, { browserClients: false }],
    [{ lambdaConcurrency: "1000" }, { lambdaConcurrency: 1_000 }],
    [{ logRetention: "30" }, { logRetention: 30 }],
    [{ anonymousLogs: "1" }, { anonymousLogs: true }],
    [{ tracing: true }, { tracing: true }],
    [{ backups: { days: 35 } }, { backups: { days: "35" } }],
    [{ reservedUsernames: "Sales,billing" }, { areaSettings: { reservedUsernames: "sales,billing" } }],
    [
      { refusedPasswords: "most-used" },
      { areaSettings: { refusedPasswords: expect.stringMatching(/^password1,/) } },
    ],
    [
      { issuer: { url: "https://a.example/x/", audience: "https://api:8" } },
      { issuer: { url: "https://a.example/x/", audience: "https://api:8", algorithms: ["RS256", "ES256"] } },
    ],
    [
      { issuer: "url:http://localhost:9,audience:a,role:x.y,algorithms:PS256 EdDSA,login:closed" },
      { issuer: { role: "x.y", algorithms: ["PS256", "EdDSA"], login: "closed" } },
    ],
    [{ requestsPerSecond: "30" }, { requestsPerSecond: 30 }],
    [{ maxReadUnits: "1" }, { maxReadUnits: 1 }],
    [{ maxWriteUnits: "2000000" }, { maxWriteUnits: 2_000_000 }],
    [{ ...mails, monthlyBudget: "50" }, { ...mails }],
    [{ ...mails, monthlyBudget: "50" }, { monthlyBudget: 50 }],
    [{ address: "https://www.example.com/api" }, { address: "https://www.example.com/api" }],
    [{ address, trustedProxy: `address:x-real-ip,${secret}` }, { address }],
    [{ address, trustedProxy: [secret, "address:x-a", secret] }, { address }],
    [{ domain, certificateArn, hostedZone }, { domain: { name: domain, certificateArn, hostedZone } }],
  ])("accepts %j", (settings, expected) => {
    expect(resolveStage("dev", settings)).toMatchObject(expected);
    expect(resolveStage("prod", { ...required, ...settings })).toMatchObject(expected);
  });

  it.each(
    invalid.flatMap(([name, message, values, others]) =>
      values.map((value) => [name, value, message, others] as const),
    ),
  )("rejects the %s %j, and says what is valid", (name, value, message, others) => {
    const resolve = () => resolveStage("dev", { ...others, [name]: value });
    expect(resolve).toThrow(`-c ${name}=… must `);
    expect(resolve).toThrow(message);
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

  it.each<[string, StageSettings, string | RegExp]>([
    ["dev", { domain }, "-c certificateArn=… is required for a domain"],
    ["dev", { trustedProxy: `${secret},address:x-a` }, "-c address=… is required for a trustedProxy"],
    ["dev", { certificateArn }, "-c certificateArn=… is only used together with a domain"],
    ["dev", { hostedZone }, "-c hostedZone=… is only used together with a domain"],
    ["dev", { rollout: "canary" }, "-c rollout=… must be all-at-once in dev"],
    ["dev", { monthlyBudget: "50" }, "-c alarmEmail=… is required for a budget"],
    ["dev", { alarmEmail: "ops@example.com" }, "-c alarmEmail=… is only used with alarms"],
    ["dev", { alarmEmail: "ops@example.com", alarms: true }, "-c runbooks=… is required for alarms by mail"],
    ["dev", { stopAtBudget: true }, "-c stopAtBudget=… is only used together with a monthlyBudget"],
    ["prod", {}, "-c origins=… is required for prod"],
    ["prod", { origins }, /^-c alarmEmail=… is required for prod: .* ops@example\.com, or none /],
    ["prod", { ...required, monthlyBudget: "50" }, "required for a budget"],
    [
      "prod",
      { ...required, access: undefined },
      /^-c access=… is required for prod: .* owner, or specified, /,
    ],
    ["staging", {}, '-c stage=… must be dev, prod, or a name such as dev-alice, not "staging"'],
  ])("%s is rejected with %j, which is incomplete", (stage, settings, message) => {
    expect(() => resolveStage(stage, settings)).toThrow(message);
  });
});
