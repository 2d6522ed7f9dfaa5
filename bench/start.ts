import { startProgram } from "./child-processes.ts";

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
  const program = startProgram("npm", ["start"], root);
  try {
    await program.printed(/^Ready at /m);
    return performance.now() - startedAt;
  } finally {
    await program.stop();
  }
}
