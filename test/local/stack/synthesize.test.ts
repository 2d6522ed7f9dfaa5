import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, expect, it } from "vitest";
import { createSynthesizer } from "../../../local/stack/synthesize.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

const directory = temporaryDirectory(afterAll);

it.each([
  ["a syntax error", "\nconst app: number = ;", /: Expression expected \(.*app\.ts:2\)$/],
  [
    "an exception",
    "export function createApp() {\n  throw new Error('no');\n}",
    /: no \(at createApp \(.*app\.ts:2:9\)\)$/,
  ],
])("an app that can't be synthesized is reported with the place of %s", async (_, code, message) => {
  const app = join(directory, "app.ts");
  writeFileSync(app, code);
  const synthesizer = createSynthesizer(pathToFileURL(app), { stage: "dev", outdir: directory });
  await expect(synthesizer.synthesize()).rejects.toThrow(message);
  await synthesizer.close();
});

it("leaves no process of the app's behind, such as the bundler's", async () => {
  const app = join(directory, "app.ts");
  const stack = 'stacks: [{ stackName: "s", template: {}, messages: [] }], directory: ""';
  writeFileSync(
    app,
    `import { spawn } from "node:child_process";
    export function createApp() {
      const child = spawn(process.execPath, ["-e", "process.stdin.resume()"]);
      child.unref();
      return { synth: () => ({ ${stack.replace('"s"', "String(child.pid)")} }) };
    }`,
  );
  const synthesizer = createSynthesizer(pathToFileURL(app), { stage: "dev", outdir: directory });
  const { stackName: pid } = await synthesizer.synthesize();
  await synthesizer.close();

  expect(() => process.kill(Number(pid), 0)).toThrow("ESRCH");
});
