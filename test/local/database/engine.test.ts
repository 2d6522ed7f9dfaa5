import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { callDynamodb } from "../../../local/database/dynamodb-call.ts";
import { chooseHost, connectToEngine, startEngine } from "../../../local/database/engine.ts";
import { chooseEngine, type EngineProgram } from "../../../local/database/engine-programs.ts";
import type { LogLine } from "../../../local/log.ts";
import { startLoopback } from "../../../local/loopback.ts";
import { untilClosed } from "../../support/programs/until-closed.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

const silent = () => undefined;

function program(command: string): EngineProgram {
  return { name: "dynoxide", command: () => ["sh", "-c", command] };
}

function hasProcess(argument: string): boolean {
  const names = existsSync("/proc") ? readdirSync("/proc") : [];
  return names
    .filter((name) => /^\d+$/.test(name))
    .some((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").includes(argument);
      } catch (error) {
        // It has ended since.
        if (["ENOENT", "ESRCH"].includes((error as NodeJS.ErrnoException).code ?? "")) return false;
        throw error;
      }
    });
}

describe("the engine", () => {
  it("listens on 127.0.0.1 where no other loopback address exists", async () => {
    expect(await chooseHost("127.1.2.3", 0)).toBe("127.1.2.3");
    // An address for documentation (RFC 5737), which no machine has.
    expect(await chooseHost("192.0.2.1", 0)).toBe("127.0.0.1");
  });

  it("gets a port that the system gives to no other program while the engine starts", async () => {
    const command = vi.fn((_: string, __: number) => ["false"]);
    const start = startEngine({ name: "slow", command }, undefined, silent);
    await expect(start).rejects.toThrow("ended during its start");
    const ports = command.mock.calls.map(([, port]) => port);
    expect(ports).toEqual([expect.toSatisfy((port: number) => port >= 10_000 && port < 32_768)]);
  });

  it("keeps its data in the directory for its owner, where no web page can guess its address", async () => {
    const directory = temporaryDirectory(onTestFinished);
    const table = {
      TableName: "kept",
      KeySchema: [{ AttributeName: "id", KeyType: "HASH" }],
      AttributeDefinitions: [{ AttributeName: "id", AttributeType: "S" }],
      BillingMode: "PAY_PER_REQUEST",
    };
    const first = await startEngine(chooseEngine(), directory, silent);
    await callDynamodb(first, "CreateTable", table);
    // A page would have to try 10^11 addresses and ports.
    expect(new URL(first.endpoint).hostname).toMatch(/^127\.(?!0\.0\.1$)/);
    await first.stop();
    await untilClosed(first.endpoint);
    const second = await startEngine(chooseEngine(), directory, silent);
    expect(await callDynamodb(second, "ListTables", {})).toEqual({ TableNames: ["kept"] });
    await second.stop();
    for (const name of readdirSync(directory)) expect(statSync(`${directory}/${name}`).mode & 0o077).toBe(0);
  });

  it("ends with the process that started it, even if that is killed", async () => {
    const folder = new URL("../../../local/database/", import.meta.url).href;
    const script = `
      import { startEngine } from "${folder}engine.ts";
      import { chooseEngine } from "${folder}engine-programs.ts";
      const engine = await startEngine(chooseEngine(), undefined, () => undefined);
      process.stdout.write(engine.endpoint);
      await engine.ended;`;
    const child = spawn(process.execPath, ["--input-type=module", "-e", script], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const [endpoint] = await once(child.stdout.setEncoding("utf8"), "data");
    // Engines of other tests can have the same port.
    const { hostname } = new URL(endpoint);
    if (process.platform === "linux") expect(hasProcess(hostname)).toBe(true);
    child.kill("SIGKILL");
    await untilClosed(endpoint);
    await expect.poll(() => hasProcess(hostname)).toBe(false);
  });

  it("that ends during its start logs its output", async () => {
    const lines: LogLine[] = [];
    const start = startEngine(program("echo broken; echo on both streams >&2; exit 3"), undefined, (line) =>
      lines.push(line),
    );
    await expect(start).rejects.toThrow(
      /^The engine dynoxide ended during its start: (broken on both streams|on both streams broken)$/,
    );
    expect(lines.map(({ text }) => text).sort()).toEqual(["broken", "on both streams"]);
    expect(new Set(lines.map(({ source }) => source))).toEqual(new Set(["engine"]));
  });

  it("that is external must respond as DynamoDB does", async () => {
    const engine = await startEngine(chooseEngine(), undefined, silent);
    expect((await connectToEngine(engine.endpoint)).endpoint).toBe(engine.endpoint);
    await engine.stop();
    await expect(connectToEngine(engine.endpoint)).rejects.toThrow(
      `DYNAMODB_ENDPOINT is ${engine.endpoint}, but no DynamoDB responds there`,
    );
    for (const [status, body, why] of [
      [404, "not found", "the response is not JSON"],
      [200, "null", "the response is not DynamoDB's"],
    ] as const) {
      const server = await startLoopback((_, response) => response.writeHead(status).end(body));
      await expect(connectToEngine(server.url)).rejects.toThrow(`no DynamoDB responds there (${why})`);
      await server.close();
    }
  });
});
