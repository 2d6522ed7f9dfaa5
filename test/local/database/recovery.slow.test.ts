import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { tableConstructId } from "../../../lib/construct-ids.ts";
import { IdAllocation } from "../../../lib/records/id-allocation.ts";
import { countOf } from "../../../lib/records/id-blocks.ts";
import { callDynamodb } from "../../../local/database/dynamodb-call.ts";
import { startEngine } from "../../../local/database/engine.ts";
import { chooseEngine } from "../../../local/database/engine-programs.ts";
import { withTables } from "../../../local/database/seed.ts";
import { recoverFromUncleanShutdown } from "../../../local/database/unclean-shutdown.ts";
import { runLocally } from "../../../local/run.ts";
import { crashes } from "../../support/database/crash.ts";
import { startInTest } from "../../support/programs/started.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

const program = fileURLToPath(new URL("../../../local/start.ts", import.meta.url));

let directory: string;
beforeEach(() => {
  directory = temporaryDirectory(onTestFinished);
});

const startProcess = (environment: Record<string, string>) =>
  startInTest(program, { DATA_DIR: directory, PORT: "0", ...environment });

async function start(environment: Record<string, string> = {}) {
  const run = startProcess(environment);
  return { run, url: await run.ready() };
}

type Service = Awaited<ReturnType<typeof start>>;
type User = { readonly id: number; readonly name: string };

async function post({ url }: Service, name: string): Promise<Response> {
  const user = { name, email: "ada@example.com", age: 36 };
  const response = await fetch(`${url}/users`, { method: "POST", body: JSON.stringify(user) });
  await response.text();
  return response;
}

const create = async (service: Service, name: string) => created(await post(service, name), name);

function created(response: Response, name: string): User {
  expect(response.status).toBe(201);
  return { id: Number(response.headers.get("location")?.split("/").pop()), name };
}

const allUsers = async ({ url }: Service) =>
  (await (await fetch(`${url}/users?fields=id&fields=name`)).json()) as User[];

async function betweenRuns(
  work: (client: DynamoDBDocumentClient, tableOf: (area: string) => string) => Promise<unknown>,
): Promise<void> {
  const engine = await startEngine(chooseEngine(), directory, () => undefined);
  const { TableNames: names } = await callDynamodb(engine, "ListTables", {});
  const tableOf = (area: string) =>
    (names as string[]).find((name) => name.includes(tableConstructId(area))) ?? "";
  await withTables(engine, [], (client) => work(client, tableOf));
  await engine.stop();
}

const repairing = "after an unclean shutdown";

/** Creates users, eight at once, until the run is killed after 60: those that were acknowledged. */
async function writeUntilKilled(service: Service) {
  const acknowledged: User[] = [];
  let isKilled = false;
  /** @returns false after the kill */
  const write = async (name: string) => {
    try {
      const response = await post(service, name);
      // On a busy machine, eight at once can wait too long for a function.
      if (response.status !== 503) acknowledged.push(created(response, name));
      return true;
    } catch (error) {
      // What `fetch` throws after the kill.
      if (isKilled && error instanceof TypeError) return false;
      throw error;
    }
  };
  const writers = Array.from({ length: 8 }, async (_, writer) => {
    for (let n = 0; await write(`user ${writer}-${n}`); n += 1) {
      if (acknowledged.length < 60) continue;
      isKilled = true;
      service.run.process.kill("SIGKILL");
    }
  });
  await Promise.all(writers);
  return acknowledged;
}

describe("a start after an unclean shutdown", () => {
  it("keeps every acknowledged record, and repairs totals and what areas repair themselves", async () => {
    const first = await start();
    const acknowledged = await writeUntilKilled(first);
    await first.run.end("SIGKILL");
    let last = 0;
    // The kill may or may not leave such an id and order; these are certain.
    await betweenRuns(async (client, tableOf) => {
      ({ id: last } = await new IdAllocation(client, tableOf("users")).allocate());
      for (const crash of crashes) await crash(client, tableOf, new Date());
    });

    const second = await start();
    const repaired = `[1-9]\\d* ids? without a record, ${crashes.length} abandoned orders?`;
    expect(second.run.output()).toMatch(RegExp(`^Repaired ${repaired} ${repairing} in`, "m"));
    const users = await allUsers(second);
    expect(users).toEqual(expect.arrayContaining(acknowledged));

    const [next, afterNext] = [await create(second, "next"), await create(second, "after that")];
    expect(next.id).toBe(last + 1);
    expect(afterNext.id).toBe(next.id + 1);

    expect(await second.run.end("SIGTERM")).toBe(0);
    await betweenRuns(async (client, tableOf) => {
      expect(countOf(await new IdAllocation(client, tableOf("users")).read())).toBe(users.length + 2);
    });
    expect((await start()).run.output()).not.toContain(repairing);
  });

  it("repairs the data even if another start failed before", async () => {
    const first = await start({ SEED: "none" });
    await create(first, "kept");
    await first.run.end("SIGKILL");
    await betweenRuns((client, tableOf) => new IdAllocation(client, tableOf("users")).allocate());
    expect(await startProcess({ VERSION_HEADER: "not a name" }).end("SIGCONT")).toBe(1);

    const second = await start({ SEED: "none" });
    expect(second.run.output()).toMatch(
      /^Repaired 1 id without a record, 0 abandoned orders after an unclean shutdown in/m,
    );
    expect(await allUsers(second)).toEqual([{ id: 1, name: "kept" }]);
  });

  it("does not repair an external database, and keeps the marker for the embedded one", async () => {
    const engine = await startEngine(chooseEngine(), undefined, () => undefined);
    writeFileSync(join(directory, "run.begun"), "");
    const other = await start({ DYNAMODB_ENDPOINT: engine.endpoint });

    expect(other.run.output()).not.toContain(repairing);
    expect(await other.run.end("SIGTERM")).toBe(0);
    expect(existsSync(join(directory, "run.begun"))).toBe(true);
    await engine.stop();
  });

  it("repairs the data if a creation failed with a server error and the run was stopped", async () => {
    // No request gets an execution environment.
    const limits = { environments: 0, waitMs: 1 };
    const run = await runLocally({ dataDirectory: directory, limits, log: () => undefined });
    expect((await fetch(`${run.url}/users`, { method: "POST" })).status).toBe(503);
    await run.close();
    expect(existsSync(join(directory, "run.begun"))).toBe(true);
  });

  it.each([
    ["POST", 503, true],
    ["POST", 422, false],
    ["GET", 503, false],
  ])("repairs the data after a %s with %i: %s", async (method, statusCode, isKept) => {
    const ended = new Promise<string>(() => undefined);
    const engine = { name: "none", endpoint: "", ended, stop: async () => undefined };
    const marker = await recoverFromUncleanShutdown(directory, engine, [], async (run) => run());
    marker.checkResponse({ method, statusCode });
    await marker.remove();

    expect(existsSync(join(directory, "run.begun"))).toBe(isKept);
  });
});
