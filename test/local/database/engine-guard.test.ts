import { type ChildProcess, spawn } from "node:child_process";
import { EventEmitter, once } from "node:events";
import { expect, it } from "vitest";
import { connector, nodeGuard } from "../../../local/database/engine-guard.ts";

/** Runs an engine that is a Node script under the guard. */
function guarded(script: string): ChildProcess {
  const [guard = "", ...args] = nodeGuard([process.execPath, "-e", script]);
  return spawn(guard, args, { stdio: ["pipe", "pipe", "pipe"] });
}

it("the guard ends the engine when standard input closes", async () => {
  const child = guarded("console.log('started'); setInterval(() => {}, 1000)");
  await once(child.stdout as NonNullable<ChildProcess["stdout"]>, "data");
  child.stdin?.end();
  // The engine inherits the output, so it closes when both have ended.
  await once(child, "close");
});

it("the guard ends with the engine", async () => {
  const child = guarded("process.exit(3)");
  expect(await once(child, "close")).toEqual([3, null]);
});

it("the guard says why the engine can't be started", async () => {
  const [guard = "", ...args] = nodeGuard(["/no/such/engine"]);
  const child = spawn(guard, args);
  const [text] = await once(child.stderr.setEncoding("utf8"), "data");
  expect(text).toBe("spawn /no/such/engine ENOENT\n");
  await once(child, "close");
});

it("a connection fails if its guard has just ended", async () => {
  // Node learns later that the other side is gone.
  const guard = Object.assign(new EventEmitter(), {
    connected: true,
    send: (_: unknown, callback: (error: Error) => void) => callback(new Error("write EPIPE")),
  });
  await expect(connector(guard as unknown as ChildProcess, 1)()).rejects.toThrow("the engine has ended");
});
