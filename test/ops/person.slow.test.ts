import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { allRoutes, tableNames, tablesWithIds } from "../../functions/definitions.ts";
import { idIn, type PreparedRequest, prepareWithRecords } from "../../functions/example-requests.ts";
import { resolveAccess } from "../../infra/settings/access.ts";
import { operationOf } from "../../lib/http/route.ts";
import { giveRecord } from "../../lib/records/owners.ts";
import { withTables } from "../../local/database/seed.ts";
import { locationOf } from "../support/api/links.ts";
import { credentials, secretValues } from "../support/data/credentials.ts";
import { runWithOperator } from "../support/programs/operator.ts";

const stageSettings = { access: "owner" };
const service = await runWithOperator({ app: undefined, secrets: secretValues, stageSettings } as never);
afterAll(() => service.end());

async function call(key: string, token: string, body?: unknown) {
  const [method = "", path = ""] = key.split(" ");
  const response = await fetch(service.run.url + path, {
    method,
    headers: token ? { authorization: `Bearer ${token}` } : {},
    body: JSON.stringify(body),
  });
  const { status, headers } = response;
  const text = await response.text();
  const json = /^[[{]/.test(text) ? JSON.parse(text) : undefined;
  return { status, location: locationOf({ headers, target: path }), body: json };
}

async function logIn(account: { readonly username: string; readonly password: string }): Promise<string> {
  return (await call("POST /auth/login", "", account)).body?.access_token;
}

const password = "Correct horse 1";
const accountOf = (username: string) => ({ username, email: `${username}@example.com`, password });

const creations: Readonly<Record<string, unknown>> = {
  "POST /todos": { title: "Milk" },
  "POST /items/": { name: "lamp" },
  "POST /posts": { title: "Hello", content: "Words", tags: ["own"] },
  "POST /orders": [{ product_id: 1, quantity: 1 }],
  "POST /users": { name: "Ada", email: "ADA@example.com", age: 36 },
};
const available = Object.entries(creations).filter(([key]) => allRoutes.some((route) => route.key === key));
const rules = resolveAccess(["owner"]);
/** Of areas that a service has added. */
const ownCreations = allRoutes
  .filter((route) => operationOf(route) === "create" && rules[route.tag]?.create === "owner")
  .flatMap(({ key }) => (key in creations || key.includes("{") ? [] : [key]));

/** Creates a record in each area. @returns their paths */
async function createRecords(token: string, unique: string): Promise<string[]> {
  const paths: string[] = [];
  const create = async (key: string, body: unknown) => {
    const { status, location } = await call(key, token, body);
    expect(status, key).toBe(201);
    paths.push(location);
    return idIn(location);
  };
  const send = ({ method, target, body }: PreparedRequest) => create(`${method} ${target}`, body);
  const source = { ids: new Map(), unique, create: send };
  for (const key of ownCreations) await send(await prepareWithRecords(key, source));
  for (const [key, body] of available) await create(key, body);
  return paths;
}

/** Registers an account that has a record in each area. */
async function withRecords(username: string) {
  await call("POST /users/", "", accountOf(username));
  const token = await logIn(accountOf(username));
  return { token, paths: await createRecords(token, username) };
}

const file = () => join(service.directory, "person.json");
const written = () => JSON.parse(readFileSync(file(), "utf8"));
const erase = (word = "ada", ...more: string[]) =>
  service.operateHere("person", ["erase", "ada", "--file", file(), "--wait", "0", ...more], `${word}\n`);

/** Starts the command in a process of its own. `reached` is called at each part of its output. */
function startErasing(reached: (output: string, child: ChildProcess) => void) {
  const env = { ...process.env, DATA_DIR: service.directory };
  const args = ["local/launch.cjs", "ops/person.ts", "--stage", "local", "erase", "ada", "--wait", "0"];
  const child = spawn(process.execPath, [...args, "--file", file()], { env });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (text) => {
      output += text;
      reached(output, child);
    });
  return { child, closed: once(child, "close"), output: () => output };
}

it("npm run person exports and erases one person's data, also after it was killed", async () => {
  const { token, paths } = await withRecords("ada");
  // Of another account, with the e-mail of the first.
  const others = await withRecords("bob");
  const found = others.paths.filter((path) => path.startsWith("/users/"));
  const admin = await logIn(credentials.admin);
  const author = paths.at(-1)?.split("/").at(-1);
  if (tableNames.includes("posts")) {
    const post = { title: "Of Ada", content: "Words" };
    const { location } = await call(`POST /posts?author_id=${author}`, token, post);
    paths.unshift(location);
    // As a post from before the access rule.
    await withTables(service.run.engine, service.run.model().tables, (client, findTable) =>
      giveRecord(client, findTable("posts") ?? "", idIn(location), undefined),
    );
  }

  const exported = await service.operate("person", ["export", "ada", "--file", file()]);
  expect([exported.code, exported.output]).toEqual([
    0,
    expect.stringContaining(`Wrote all of it to ${file()}`),
  ]);
  const records = {
    todos: [{ title: "Milk" }],
    items: [{ text: '{"name":"lamp"}' }],
    posts: [{ content: "Words" }, { title: "Of Ada" }],
    orders: [{ items: [{ product_id: 1, quantity: 1 }] }],
    users: [{ name: "Ada" }, { name: "Ada" }],
  };
  expect(written()).toMatchObject({
    account: { username: "ada", email: "ada@example.com", role: "user" },
    ...Object.fromEntries(Object.entries(records).filter(([area]) => tableNames.includes(area))),
  });
  expect(readFileSync(file(), "utf8")).not.toContain("argon2id");

  const refused = await erase("no");
  expect([refused.code, refused.errors]).toEqual([1, expect.stringContaining("Nothing was changed.")]);
  expect(await erase("ada", "--dry-run")).toMatchObject({ code: 0 });
  expect((await call("GET /users/me", token)).status).toBe(200);

  const asked = Promise.withResolvers<void>();
  const killed = startErasing((output, child) => {
    if (output.includes("Enter ada")) asked.resolve();
    // The first area is erased.
    if (output.split("Erasing").length > 2) child.kill("SIGKILL");
  });
  await asked.promise;
  // What is written while it asks.
  paths.unshift(...(await createRecords(token, "late")));
  killed.child.stdin.end("ada\n");
  await killed.closed;
  expect(killed.output()).toMatch(/Searched again and found \w+: \d \(\d+/);
  expect((await call("GET /users/me", token)).status).toBe(401);

  expect(await erase()).toMatchObject({ code: 0 });
  const report = written();
  expect(report).toMatchObject({ erased: { account: true }, left: { account: expect.any(String) } });
  const pathsOf = (area: string) => report.erased[area].map((id: number) => `/${area}/${id}`);
  expect(tablesWithIds.flatMap(pathsOf).sort()).toEqual([...new Set([...paths, ...found])].sort());
  for (const path of [...paths, ...found])
    expect((await call(`GET ${path}`, admin)).status, path).toBe(path.startsWith("/orders") ? 200 : 404);
  for (const path of others.paths.filter((each) => !found.includes(each)))
    expect((await call(`GET ${path}`, others.token)).status, path).toBe(200);
  expect(await logIn(accountOf("ada"))).toBeUndefined();
  for (const _ of found) expect((await call("GET /users", others.token)).body).toEqual([]);

  // It goes on, and finds nothing more.
  expect(await erase()).toMatchObject({ code: 0 });
  expect(written().erased).toEqual(report.erased);
});
