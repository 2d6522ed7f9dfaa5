import { spawn } from "node:child_process";
import { once } from "node:events";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { lockDirectory } from "../../../local/database/lock.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

let directory: string;
beforeEach(() => {
  directory = temporaryDirectory(onTestFinished);
});

async function lockElsewhere() {
  const module = new URL("../../../local/database/lock.ts", import.meta.url);
  const script = `
    import { lockDirectory } from ${JSON.stringify(module.href)};
    lockDirectory(${JSON.stringify(directory)});
    for (let i = 0; i < 3; i += 1) {
      await new Promise((resolve) => setImmediate(resolve));
      gc();
    }
    process.stdout.write("locked");
    setInterval(() => undefined, 1e6);`;
  const child = spawn(process.execPath, ["--expose-gc", "--input-type=module", "-e", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(child.stdout, "data");
  return child;
}

describe("the lock on a data directory", () => {
  it("keeps other processes out until its owner is killed, and names it", async () => {
    const other = await lockElsewhere();
    expect(() => lockDirectory(directory)).toThrow(
      `${directory} is in use by another run (pid ${other.pid}). Stop it with`,
    );
    other.kill("SIGKILL");
    await once(other, "exit");
    lockDirectory(directory).release();
  });

  it("can be acquired again after its release", () => {
    const lock = lockDirectory(directory);
    expect(() => lockDirectory(directory)).toThrow(`pid ${process.pid}`);
    lock.release();
    lockDirectory(directory).release();
  });
});
