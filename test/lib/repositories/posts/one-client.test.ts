import { setImmediate as others } from "node:timers/promises";
import { expect, it } from "vitest";
import { VirtualClock } from "../../../../bench/simulation/virtual-clock.ts";
import { random } from "../../../support/random.ts";

const clock = new VirtualClock();
clock.install();
const { SimulatedDatabase } = await import("../../../../bench/simulation/simulated-database.ts");
const { resolveStage } = await import("../../../../infra/settings/stages.ts");
const { PostsRepository } = await import("../../../../lib/repositories/posts/posts.ts");

/** A process on a database that throttles tables as the stage says. A client that sends one request at a time has one. */
function serviceOf({ maxReadUnits: read, maxWriteUnits: write }: ReturnType<typeof resolveStage>) {
  Object.assign(process.env, { MAX_READ_UNITS: String(read), MAX_WRITE_UNITS: String(write) });
  const database = new SimulatedDatabase(clock, random(1).next, () => undefined);
  database.tableUnits = { read, write };
  return { database, posts: new PostsRepository(database.client(), "posts", () => new Date()) };
}

/** Lets time pass while the work waits. @returns how many seconds it took */
async function timed(work: () => Promise<void>) {
  const from = clock.now;
  let isOver = false;
  const end = work().finally(() => {
    isOver = true;
  });
  while (!isOver) {
    await clock.run();
    await others();
  }
  await end;
  return (clock.now - from) / 1_000;
}

const prod = { origins: "https://www.example.com", alarmEmail: "none", access: "specified" };
// The local run has the limits of dev.
const stages = [resolveStage("dev", {}), resolveStage("prod", prod)];
const contents = ["ä".repeat(100_000), "😀".repeat(100_000)];

const cases = stages.flatMap((stage) => contents.map((content) => ({ ...stage, content })));
it.each(cases)("one client writes the largest posts in turn, in $name", async ({ content, ...stage }) => {
  const { database, posts } = serviceOf(stage);
  const fields = { title: "t", content, status: "draft" as const, tags: [] };
  const seconds = await timed(async () => {
    for (let i = 0; i < 10; i += 1) await posts.create(1, fields, undefined);
    for (let id = 1; id <= 10; id += 1)
      expect(await posts.update(id, { ...fields, title: "u" })).toMatchObject({ title: "u" });
  });
  expect(database.throttled).toBe(0);
  // A third of the table's units are left to others.
  const needed = 19 * 2 * (Buffer.byteLength(content) / 1_024);
  expect(seconds * stage.maxWriteUnits * 0.65).toBeGreaterThan(needed);
});
