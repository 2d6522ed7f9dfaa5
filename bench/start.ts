import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

const root = new URL("..", import.meta.url);

/**
 * Measures `npm start` as a user sees it: from the command until the service is ready.
 *
 * @param warmUps the number of starts before, to fill caches
 * @returns milliseconds of each start
 */
export async function measureStarts(times: number, warmUps: number): Promise<number[]> {
  const durations: number[] = [];
  for (let i = 0; i < warmUps + times; i += 1) durations.push(await measureStart());
  return durations.slice(warmUps);
}

async function measureStart(): Promise<number> {
  const startedAt = performance.now();
  const env = { ...process.env, PORT: "0", DATA_DIR: "memory" };
  // A process group of its own, so that a signal also reaches what npm has started. Ctrl-C reaches it by `stop`.
  const child = spawn("npm", ["start"], {
    cwd: root,
    env,
    stdio: ["ignore", "pipe", "inherit"],
    detached: true,
  });
  const stop = () => void process.kill(-(child.pid ?? 0), "SIGINT");
  process.once("SIGINT", stop);
  const ended = once(child, "close");
  let milliseconds: number | undefined;
  for await (const line of createInterface({ input: child.stdout })) {
    if (milliseconds !== undefined || !line.startsWith("Ready at ")) continue;
    milliseconds = performance.now() - startedAt;
    stop();
  }
  await ended;
  process.off("SIGINT", stop);
  if (milliseconds === undefined) throw new Error("npm start ended before it was ready");
  return milliseconds;
}
