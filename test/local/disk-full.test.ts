import { expect, it } from "vitest";
import { explainFullDisk } from "../../local/disk-full.ts";

it.each([
  ["a file", Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" })],
  ["a quota", Object.assign(new Error("EDQUOT: quota exceeded, write"), { code: "EDQUOT" })],
  ["the lock", Object.assign(new Error("database or disk is full"), { errcode: 13 })],
  ["the bundler", new Error("Failed to write to output file: write index.mjs: no space left on device")],
  ["a worker thread", new Error("The stack can't be synthesized: ENOSPC: no space left on device, write")],
])("a full disk is explained in one sentence: %s", async (_, error) => {
  await expect(explainFullDisk("/data", () => Promise.reject(error))).rejects.toThrow(
    "The disk of /data is full. Free some space there, or choose another DATA_DIR.",
  );
});

it("other errors and results stay as they are", async () => {
  await expect(explainFullDisk("/data", () => Promise.reject(new Error("other")))).rejects.toThrow(/^other$/);
  expect(await explainFullDisk("/data", async () => 1)).toBe(1);
});
