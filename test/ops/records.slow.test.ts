import { afterAll, describe, expect, it } from "vitest";
import type { AreaSamples } from "../../functions/define-area.ts";
import { tablesWithIds } from "../../functions/definitions.ts";
import { ofAreas } from "../../functions/of-areas.ts";
import { IdAllocation } from "../../lib/records/id-allocation.ts";
import { UsersRepository } from "../../lib/repositories/users.ts";
import { withTables } from "../../local/database/seed.ts";
import { ApiClient, overHttp } from "../support/api/client.ts";
import { anHourAgo, crashes } from "../support/database/crash.ts";
import { runWithOperator } from "../support/programs/operator.ts";

const service = await runWithOperator({ withCatalog: false });
afterAll(() => service.end());

const password = "Analytical engine 1";
const otherPassword = "Difference engine 2";

const api = new ApiClient(overHttp(service.run.url));

async function logIn(username: string, secret: string) {
  const { status, body } = await api.post("/auth/login", { username, password: secret });
  const headers = { authorization: `Bearer ${body.access_token}` };
  return { status, getAsThey: (path: string) => api.get(path, { headers }) };
}

/** Runs `npm run account`. @returns what it says */
async function account(args: readonly string[], input = ""): Promise<string> {
  const { code, output, errors } = await service.operateHere("account", args, input);
  expect(code, errors).toBe(0);
  return output;
}

describe("npm run account", () => {
  it("creates an administrator who can log in and use admin routes", async () => {
    const args = ["--username", "ada", "--role", "admin", "--email", "ada@example.com"];
    expect(await service.operate("account", args, `${password}\n`)).toEqual({
      code: 0,
      output: "Created the account ada with the role admin.\n",
      errors: "Saving the account ada\n",
    });

    const { getAsThey } = await logIn("ada", password);
    const { status, body } = await getAsThey("/admin/users");
    expect(status).toBe(200);
    expect(body).toContainEqual({ username: "ada", email: "ada@example.com", role: "admin" });
  });

  it("changes the given values only, and reports the changes", async () => {
    const args = ["--username", "bob", "--email", "bob@example.com"];
    expect(await account(args, password)).toBe("Created the account bob with the role user.\n");
    const changed = "Changed the role of bob from user to admin.\n";
    expect(await account([...args, "--role", "admin"])).toBe(changed);
    expect(await account(["--username", "bob"], password)).toBe("The account bob is up to date.\n");
    const more = ["--username", "bob", "--email", "robert@example.com", "--role", "user"];
    expect(await account(more, otherPassword)).toBe(
      "Changed the role of bob from admin to user and the password of bob and the e-mail of bob to robert@example.com.\n",
    );

    const { body } = await (await logIn("bob", otherPassword)).getAsThey("/users/me");
    expect(body).toEqual({ username: "bob", email: "robert@example.com", role: "user" });
    expect((await logIn("bob", password)).status).toBe(401);
  });

  it("gives records to an account, once and not in a dry run, and names no ids that do not exist", async () => {
    for (const name of ["Ada", "Grace"])
      expect((await api.post("/users", { name, email: "a@example.com", age: 36 })).status).toBe(201);
    const give = ["give", "--username", "bob", "--area", "users", "--ids", "2-9"];
    for (const _ of ["first", "again"])
      expect(await account(give)).toBe("Gave 1 of the users to bob; 7 ids have no record.\n");
    const { engine, model } = service.run;
    const owned = await withTables(engine, model().tables, async (client, findTable) => {
      const own = new UsersRepository(client, findTable("users") ?? "", { username: "bob", seesAll: false });
      return (await own.list()).records.map(({ name }) => name);
    });
    expect(owned).toEqual(["Grace"]);
    const nobody = ["give", "--username", "nobody", "--area", "users", "--ids", "1"];
    expect(await service.operateHere("account", nobody)).toMatchObject({ code: 1, output: "" });
  });

  it("locks, unlocks and erases an account, and resets its password for one login", async () => {
    const act = (action: string) => account([action, "--username", "bob"]);
    expect(await account(["list"])).toMatch(/^bob +user +\S+@\S+$/m);
    const { getAsThey } = await logIn("bob", otherPassword);
    const statuses = async () => {
      const [withToken, login] = [await getAsThey("/users/me"), await logIn("bob", otherPassword)];
      return [withToken.status, login.status];
    };
    expect(await act("lock")).toBe("Locked the account bob.\n");
    expect(await statuses()).toEqual([401, 401]);
    expect(await act("unlock")).toBe("Unlocked the account bob.\n");
    expect(await statuses()).toEqual([401, 200]);

    const [said, oneTime = ""] = (await act("reset")).split("\n");
    expect(said).toBe("Reset the password of the account bob.");
    const logins = await Promise.all([oneTime, oneTime, otherPassword].map((each) => logIn("bob", each)));
    expect(logins.map(({ status }) => status).sort()).toEqual([200, 401, 401]);

    expect(await act("erase")).toBe("Erased the account bob.\n");
    const again = await service.operateHere("account", ["erase", "--username", "bob"]);
    expect(again).toMatchObject({ code: 1, errors: expect.stringContaining("no account bob") });
  });

  it.each([
    ["a password that registration refuses", [], "short", /^Invalid password: .* at least one digit.*\n$/],
    ["no password", [], "", /^Invalid password: [^\n]*\n$/],
    [
      "an e-mail that is taken",
      ["--email", "admin@example.com"],
      password,
      /\nThe email admin@example.com is already taken\n$/,
    ],
  ])("fails with one line for %s", async (_, more, input, expected) => {
    const args = ["--username", "dave", "--email", "dave@example.com", ...more];
    const { code, output, errors } = await service.operateHere("account", args, input);
    expect([code, output]).toEqual([1, ""]);
    expect(errors).toMatch(expected);
    expect(errors).not.toContain(input === "" ? "undefined" : input);
    expect((await logIn("dave", input)).status).toBe(401);
  });
});

it("npm run seed loads samples once", async () => {
  const samples = Object.entries(await ofAreas<AreaSamples>("samples"));
  const lines = (text: (area: string, count: number) => string) =>
    samples.map(([area, { count }]) => `${text(area, count)}\n`).join("");
  expect(await service.operate("seed")).toEqual({
    code: 0,
    output: lines((area, count) => `Loaded ${count} ${area}.`),
    errors: lines((area) => `Loading ${area}`),
  });
  expect(await service.operateHere("seed")).toMatchObject({
    code: 0,
    output: lines((area, count) => `Nothing loaded: there are ${count} ${area}.`),
  });
});

it("npm run repair repairs what a crash left behind, and nothing in a dry run", async () => {
  const headers = { "api-version": "2.0" };
  const total = async () => (await api.get("/users", { headers })).body.metadata.total;
  const before = await total();
  const { engine, model } = service.run;
  const last = await withTables(engine, model().tables, async (client, findTable) => {
    const tableOf = (area: string) => findTable(area) ?? "";
    for (const crash of crashes) await crash(client, tableOf, anHourAgo());
    return (await new IdAllocation(client, tableOf("users")).allocate()).id;
  });

  const dry = await service.operateHere("repair", ["--wait", "0", "--dry-run"]);
  expect(dry).toMatchObject({ code: 0 });
  expect(dry.output).toContain(`\nusers     ids up to ${last}: 1 would be marked as deleted\n`);
  expect(dry.output).toContain(`\norders    abandoned: ${crashes.length} would be completed\n`);

  const first = await service.operate("repair", ["--wait", "0"]);
  expect(first).toMatchObject({ code: 0, errors: `Checking ${tablesWithIds.join(", ")}\n` });
  expect(first.output).toContain(`\nusers     ids up to ${last}: 1 marked as deleted\n`);
  expect(first.output).toContain(`\norders    abandoned: ${crashes.length} completed\n`);
  expect(await total()).toBe(before);

  const second = await service.operateHere("repair", ["--wait", "0"]);
  expect(second.output).toContain(`\nusers     ids up to ${last}: 0 marked as deleted\n`);
  expect(second.output).toContain("\norders    abandoned: 0 completed\n");
});
