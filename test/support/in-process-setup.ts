import type { TestProject } from "vitest/node";
import { startEngine } from "../../local/database/engine.ts";
import { chooseEngine } from "../../local/database/engine-programs.ts";
import { prepareInProcess } from "./api/in-process-target.ts";
import { cheapenArgon2 } from "./argon2.ts";
import { synthesizeOnce } from "./infra/synthesize-once.ts";

/** Starts an engine with the stack's tables; the handlers run in the test processes. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const engine = await startEngine(chooseEngine(), undefined, ({ text }) =>
    process.stderr.write(`${text}\n`),
  );
  const end = cheapenArgon2();
  const { target, close } = await prepareInProcess(engine.endpoint, { app: await synthesizeOnce("dev") });
  end();
  project.provide("target", target);
  return async () => {
    await close();
    await engine.stop();
  };
}
