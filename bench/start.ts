import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

/**
 * Measures `npm start` as somebody at a terminal sees it: from the command until it says that it is ready, with
 * an empty database in memory.
 *
 * @param times how often it is started
 * @param warmUps how often before that, to fill the caches
 * @returns milliseconds of each start
 * @throws {Error} with its output when it does not start
 */
export async function measureStarts(times: number, warmUps: number): Promise<number[]> {
  for (let count = 0; count < warmUps; count += 1) await measureStart();
  const found: number[] = [];
  for (let count = 0; count < times; count += 1) found.push(await measureStart());
  return found;
}

async function measureStart(): Promise<number> {
  const started = performance.now();
  const child = spawn("npm", ["start"], {
    cwd: root,
    env: { ...process.env, PORT: "0", DATA_DIR: "memory" },
    stdio: ["ignore", "pipe", "pipe"],
    // A process group of its own, so that the signal below reaches what npm has started.
    detached: true,
  });
  const stop = () => {
    if (child.pid !== undefined) process.kill(-child.pid, "SIGINT");
  };
  // Ctrl-C at a terminal does not reach another process group.
  const interrupted = () => {
    stop();
    process.exit(130);
  };
  process.once("SIGINT", interrupted);
  const ended = once(child, "close").finally(() => process.off("SIGINT", interrupted));
  let output = "";
  const ready = new Promise<number>((resolve) => {
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text: string) => {
        output += text;
        if (/^Ready at /m.test(output)) resolve(performance.now() - started);
      });
  });
  const milliseconds = await Promise.race([ready, ended.then(() => undefined)]);
  if (milliseconds === undefined) throw new Error(`npm start ended by itself:\n${output}`);
  stop();
  await ended;
  return milliseconds;
}
