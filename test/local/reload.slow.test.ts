import { appendFileSync, cpSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { BroadcastChannel } from "node:worker_threads";
import { afterAll, expect, it, onTestFinished } from "vitest";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { reloadableApp, runFixture } from "./fixtures/run.ts";

const code = temporaryDirectory(afterAll);
cpSync(fileURLToPath(new URL("./fixtures/code", import.meta.url)), code, { recursive: true });
process.env.FIXTURE_CODE = code;
const run = await runFixture({ app: reloadableApp });
afterAll(async () => {
  await run.close();
  delete process.env.FIXTURE_CODE;
});

it("a reload lets running requests finish with the old code", async () => {
  const channel = new BroadcastChannel("probe");
  const isHeld = new Promise((resolve) => {
    channel.onmessage = resolve;
  });
  const held = fetch(`${run.url}/probe/hold`);
  await isHeld;
  appendFileSync(join(code, "probe", "index.mjs"), "// changed\n");
  expect(await run.reload()).toEqual(["Unstartable", "Missing", "Probe", "Brief"]);
  expect((await fetch(`${run.url}/probe/environment`)).status).toBe(200);
  channel.postMessage("release");
  expect((await held).status).toBe(200);
  channel.close();
});

it("a reload adds new routes and removes old ones", async () => {
  const more = () => fetch(`${run.url}/more`, { method: "POST" });
  expect((await more()).status).toBe(404);
  cpSync(join(code, "probe"), join(code, "more"), { recursive: true });
  expect(await run.reload()).toEqual(["More", "POST /more (new)"]);
  expect((await more()).status).toBe(200);
  rmSync(join(code, "more"), { recursive: true });
  expect(await run.reload()).toEqual(["POST /more (deleted)"]);
  expect((await more()).status).toBe(404);
});

it("reloads do not accumulate copies of the code", async () => {
  const directory = temporaryDirectory(onTestFinished);
  const other = await runFixture({ app: reloadableApp, dataDirectory: directory });
  const assets = () =>
    readdirSync(join(directory, "assembly")).filter((name) => name.startsWith("asset.")).length;
  const change = async () => {
    appendFileSync(join(code, "probe", "index.mjs"), "// changed\n");
    await other.reload();
  };
  await change();
  const afterOne = assets();
  await change();
  expect(assets()).toBe(afterOne);
  expect((await fetch(`${other.url}/probe/environment`)).status).toBe(200);
  await other.close();
});
