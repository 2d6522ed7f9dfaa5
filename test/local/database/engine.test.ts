import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { callDynamodb } from "../../../local/database/dynamodb-call.ts";
import { chooseHost, connectToEngine, startEngine } from "../../../local/database/engine.ts";
import { isolatedGuard } from "../../../local/database/engine-guard.ts";
import {
  chooseEngine,
  dynamodbLocalProgram,
  type EngineProgram,
} from "../../../local/database/engine-programs.ts";
import type { LogLine } from "../../../local/log.ts";
import { untilClosed } from "../../support/programs/until-closed.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

const silent = () => undefined;

function program(command: string): EngineProgram {
  return { name: "dynoxide", canChooseHost: true, command: () => ["sh", "-c", command] };
}

/** Whether a process has the argument (on Linux; false elsewhere). */
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
    const ports: number[] = [];
    const command = (_: string, port: number) => {
      ports.push(port);
      return ["false"];
    };
    const start = startEngine({ name: "DynamoDB Local", canChooseHost: false, command }, undefined, silent);
    await expect(start).rejects.toThrow("ended during its start");
    expect(ports).toEqual([expect.toSatisfy((port: number) => port >= 10_000 && port < 32_768)]);
  });

  it("of a run is out of reach for other processes, where the system has network namespaces for everybody", async () => {
    const [unshare = "", ...args] = isolatedGuard([]);
    const options = args.slice(0, args.indexOf("--"));
    const { status } = spawnSync(unshare, [...options, "ip", "link", "set", "lo", "up"]);
    const engine = await startEngine(chooseEngine(), undefined, silent, { isolated: true });
    const calls = Array.from({ length: 20 }, () => callDynamodb(engine, "ListTables", {}));

    expect(await Promise.all(calls)).toEqual(calls.map(() => ({ TableNames: [] })));
    const { endpoint } = engine;
    const fromOutside = callDynamodb({ endpoint }, "ListTables", {});
    if (status === 0) await expect(fromOutside).rejects.toThrow("ECONNREFUSED");
    else await expect(fromOutside).resolves.toEqual({ TableNames: [] });

    await engine.stop();
    await expect(callDynamodb(engine, "ListTables", {})).rejects.toThrow(/has ended|ECONNREFUSED/);
  });

  it.each([false, true])(
    "ends with the process that started it, even if that is killed (isolated: %s)",
    async (isolated) => {
      const modules = ["engine.ts", "engine-programs.ts"].map(
        (name) => new URL(`../../../local/database/${name}`, import.meta.url).href,
      );
      const script = `
      import { startEngine } from "${modules[0]}";
      import { chooseEngine } from "${modules[1]}";
      const engine = await startEngine(chooseEngine(), undefined, () => undefined, { isolated: ${isolated} });
      await engine.connect?.();
      process.stdout.write(engine.endpoint);
      await engine.ended;`;
      const child = spawn(process.execPath, ["--input-type=module", "-e", script], {
        stdio: ["ignore", "pipe", "inherit"],
      });
      const [endpoint] = await once(child.stdout.setEncoding("utf8"), "data");
      const { port } = new URL(endpoint);
      if (process.platform === "linux") expect(hasProcess(port)).toBe(true);
      child.kill("SIGKILL");
      await untilClosed(endpoint);
      await expect.poll(() => hasProcess(port)).toBe(false);
    },
  );

  it("that is not installed is an error with instructions", () => {
    expect(() => chooseEngine([])).toThrow(
      /^No DynamoDB engine is installed\. Run `npm ci` .*Java 17 and .*; .* on the PATH; or set DYNAMODB_ENDPOINT\.$/,
    );
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

  it.each([
    ['openjdk version "11.0.21" 2023-10-17', 0, "has version 11.0.21; DynamoDB Local requires Java 17"],
    ['java version "1.8.0_392"', 0, "has version 1.8.0_392; DynamoDB Local requires Java 17"],
    ["The operation couldn't be completed.", 1, "has version unknown; DynamoDB Local requires Java 17"],
    ['Picked up JAVA_TOOL_OPTIONS: -Xmx1g\nopenjdk version "17.0.9" 2023-10-17', 0, undefined],
    ['openjdk version "21" 2023-09-19', 0, undefined],
  ])("DynamoDB Local requires a compatible Java: %s", (output, code, expected) => {
    const directory = temporaryDirectory(onTestFinished);
    const java = join(directory, "java");
    writeFileSync(java, `#!/bin/sh\ncat >&2 <<'END'\n${output}\nEND\nexit ${code}\n`, { mode: 0o755 });
    const engine = dynamodbLocalProgram(java, "none.jar");
    expect(engine.incompatibility?.()).toBe(expected && `${java} ${expected}`);
    if (expected === undefined) expect(chooseEngine([engine])).toBe(engine);
    else
      expect(() => chooseEngine([engine])).toThrow(
        `No DynamoDB engine is installed (${java} ${expected}). Run`,
      );
  });

  it("that is external must respond", async () => {
    const engine = await startEngine(chooseEngine(), undefined, silent);
    expect((await connectToEngine(engine.endpoint)).endpoint).toBe(engine.endpoint);
    await engine.stop();
    await expect(connectToEngine(engine.endpoint)).rejects.toThrow(
      `DYNAMODB_ENDPOINT is ${engine.endpoint}, but no DynamoDB responds there`,
    );
  });
});
