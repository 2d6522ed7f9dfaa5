import { afterAll, describe, expect, it } from "vitest";
import type { AreaSamples } from "../../functions/define-area.ts";
import { tablesWithIds } from "../../functions/definitions.ts";
import { ofAreas } from "../../functions/of-areas.ts";
import { IdAllocation } from "../../lib/records/id-allocation.ts";
import { UsersRepository } from "../../lib/repositories/users.ts";
import { withTables } from "../../local/database/seed.ts";
import { anHourAgo, crashes } from "../support/database/crash.ts";
import { runWithOperator } from "../support/programs/operator.ts";

const service = await runWithOperator({ withCatalog: false });
afterAll(() => service.end());

const password = "Analytical engine 1";

interface Body {
  readonly access_token: string;
  readonly metadata: { readonly total: number };
}

async function call(path: string, init?: RequestInit) {
  const response = await fetch(service.run.url + path, init);
  return { status: response.status, body: (await response.json()) as Body };
}

async function logIn(username: string, secret: string) {
  return call("/auth/login", { method: "POST", body: JSON.stringify({ username, password: secret }) });
}

async function me(username: string, secret: string) {
  const { body } = await logIn(username, secret);
  return (await call("/users/me", { headers: { authorization: `Bearer ${body.access_token}` } })).body;
}

const done = (output: string) => ({ code: 0, output: `${output}\n` });

describe("npm run account", () => {
  it("creates an administrator who can log in and use admin routes", async () => {
    const args = ["--username", "ada", "--role", "admin", "--email", "ada@example.com"];
    expect(await service.operate("account", args, `${password}\n`)).toEqual({
      ...done("Created the account ada with the role admin."),
      errors: "Saving the account ada\n",
    });

    const { status, body } = await logIn("ada", password);
    expect(status).toBe(200);
    const headers = { authorization: `Bearer ${body.access_token}` };
    expect(await call("/admin/users", { headers })).toEqual({
      status: 200,
      body: expect.arrayContaining([{ username: "ada", email: "ada@example.com", role: "admin" }]),
    });
  });

  it("changes the given values only, and reports the changes", async () => {
    const args = ["--username", "bob", "--email", "bob@example.com"];
    expect(await service.operateHere("account", args, password)).toMatchObject(
      done("Created the account bob with the role user."),
    );
    expect(await service.operateHere("account", [...args, "--role", "admin"])).toMatchObject(
      done("Changed the role of bob from user to admin."),
    );
    expect(await service.operateHere("account", ["--username", "bob"], password)).toMatchObject(
      done("The account bob is up to date."),
    );
    const more = ["--username", "bob", "--email", "robert@example.com", "--role", "user"];
    expect(await service.operateHere("account", more, "Difference engine 2")).toMatchObject(
      done(
        "Changed the role of bob from admin to user and the password of bob and the e-mail of bob to robert@example.com.",
      ),
    );

    expect(await me("bob", "Difference engine 2")).toEqual({
      username: "bob",
      email: "robert@example.com",
      role: "user",
    });
    expect((await logIn("bob", password)).status).toBe(401);
  });

  it("gives records to an account, once and not in a dry run, and names no ids that do not exist", async () => {
    for (const name of ["Ada", "Grace"]) {
      const body = JSON.stringify({ name, email: "a@example.com", age: 36 });
      expect((await call("/users", { method: "POST", body })).status).toBe(201);
    }
    const ownedByBob = () =>
      withTables(service.run.engine, service.run.model().tables, async (client, findTable) => {
        const bob = { username: "bob", seesAll: false };
        const own = new UsersRepository(client, findTable("users") ?? "", bob);
        return (await own.list()).records.map(({ name }) => name);
      });
    const give = ["give", "--username", "bob", "--area", "users", "--ids", "2-9"];
    for (const _ of ["first", "again"])
      expect(await service.operateHere("account", give)).toMatchObject(
        done("Gave 1 of the users to bob; 7 ids have no record."),
      );
    expect(await ownedByBob()).toEqual(["Grace"]);
    const nobody = ["give", "--username", "nobody", "--area", "users", "--ids", "1"];
    expect(await service.operateHere("account", nobody)).toMatchObject({ code: 1, output: "" });
  });

  it("locks, unlocks and erases an account, and resets its password for one login", async () => {
    const act = async (action: string) => service.operateHere("account", [action, "--username", "bob"]);
    const listed = await service.operateHere("account", ["list"]);
    expect(listed.output).toMatch(/^bob +user +\S+@\S+$/m);
    const { body } = await logIn("bob", "Difference engine 2");
    const tokenStatus = async () =>
      (await call("/users/me", { headers: { authorization: `Bearer ${body.access_token}` } })).status;
    expect(await act("lock")).toMatchObject(done("Locked the account bob."));
    expect([await tokenStatus(), (await logIn("bob", "Difference engine 2")).status]).toEqual([401, 401]);
    expect(await act("unlock")).toMatchObject(done("Unlocked the account bob."));
    expect([await tokenStatus(), (await logIn("bob", "Difference engine 2")).status]).toEqual([401, 200]);

    const { output } = await act("reset");
    const [said, oneTime = ""] = output.split("\n");
    expect(said).toBe("Reset the password of the account bob.");
    const statuses = [oneTime, oneTime, "Difference engine 2"].map(
      async (each) => (await logIn("bob", each)).status,
    );
    expect((await Promise.all(statuses)).sort()).toEqual([200, 401, 401]);

    expect(await act("erase")).toMatchObject(done("Erased the account bob."));
    expect(await act("erase")).toMatchObject({ code: 1, errors: expect.stringContaining("no account bob") });
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
  const total = async () => (await call("/users", { headers })).body.metadata.total;
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
