import { fork } from "node:child_process";
import { once } from "node:events";
import { type Engine, startEngine } from "../../local/database/engine.ts";
import { chooseEngine } from "../../local/database/engine-programs.ts";
import type { ApiRequest } from "../../test/support/api/client.ts";
import { prepareInProcess } from "../../test/support/api/in-process-target.ts";
import { startMetering } from "../costs/metering.ts";
import type { Measured } from "./child.ts";

/** The engine of a directory that `importTables` has filled. */
export async function startFilled(stack: AsyncDisposableStack, directory: string): Promise<Engine> {
  return stack.adopt(await startEngine(chooseEngine(), directory, () => undefined), (it) => it.stop());
}

/** The functions in a process of their own, with their calls to an engine measured. */
export async function startMeasured(stack: AsyncDisposableStack, { endpoint }: Engine) {
  const proxy = stack.adopt(await startMetering(endpoint, "elsewhere"), (it) => it.close());
  const { target, close } = await prepareInProcess(endpoint, { database: proxy.url, withCatalog: false });
  stack.defer(close);
  const { send, stop } = await startFunctions(target);
  stack.defer(stop);
  return { proxy, send };
}

/** Starts a process with the functions, which measures each request that is sent to it. */
async function startFunctions(target: unknown) {
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
