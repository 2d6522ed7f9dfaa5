import { fork } from "node:child_process";
import { once } from "node:events";
import type { ApiRequest } from "../../test/support/api/client.ts";
import type { Measured } from "./child.ts";

/** Starts a process with the functions, which measures each request that is sent to it. */
export async function startFunctions(target: unknown) {
  const child = fork(new URL("./child.ts", import.meta.url), [JSON.stringify(target)], {
    execArgv: ["--expose-gc"],
    env: { ...process.env, AWS_LAMBDA_LOG_LEVEL: "FATAL" },
  });
  const ended = once(child, "exit").then(([code]) => {
    throw new Error(`The functions' process has ended with code ${code}`);
  });
  ended.catch(() => {});
  await Promise.race([once(child, "message"), ended]);
  return {
    async send(request: ApiRequest): Promise<Measured> {
      child.send(request);
      const [measured] = await Promise.race([once(child, "message"), ended]);
      return measured as Measured;
    },
    stop: () => void child.kill(),
  };
}
