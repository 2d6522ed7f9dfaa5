import type { ChildProcess } from "node:child_process";
import { EventEmitter } from "node:events";
import { expect, it } from "vitest";
import { connector } from "../../../local/database/engine-guard.ts";

it("a connection fails if its guard has just ended", async () => {
  // Node learns later that the other side is gone.
  const guard = Object.assign(new EventEmitter(), {
    connected: true,
    send: (_: unknown, callback: (error: Error) => void) => callback(new Error("write EPIPE")),
  });
  await expect(connector(guard as unknown as ChildProcess, 1)()).rejects.toThrow("the engine has ended");
});
