import { setImmediate as allOthers, setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Admission, admissionOf } from "../../../lib/dynamodb/admission.ts";
import { getItem } from "../../../lib/dynamodb/query.ts";
import { engines, onDefaultEngine, recordTable, testClient } from "../../support/database/database.ts";
import { injectFaults } from "../../support/database/faults.ts";

/** Of the limit of a table, 65 % are sold. */
const RATE = 1_000;
const START = Date.UTC(2026, 0, 1);

/** Time passes only for those who wait. */
beforeEach(() => vi.useFakeTimers({ now: START, toFake: ["Date"] }));
afterEach(() => vi.useRealTimers());

const waitInFakeTime = async (ms = 0) => {
  vi.setSystemTime(Date.now() + ms);
};
const passed = () => Date.now() - START;
const faults = ["throttled", "timeout"] as const;
const refused = { code: "TooManyRequests", retryAfterSeconds: expect.any(Number) };

/** A process, and how many calls it has made. */
function processOn(endpoint: string, table: string, kind: "reads" | "writes" = "reads") {
  const client = testClient(endpoint);
  const calls = injectFaults(client, () => undefined);
  const admission = new Admission(client, table, kind, RATE, waitInFakeTime);
  const read = async (units: number, hasRead = false) => (await admission.admit({ hasRead }))(units);
  const write = async (units: number) => {
    await admission.obtain(units);
    admission.take(units);
  };
  return { admission, calls, read, write };
}

describe.each(engines)("the admission ($name)", ({ endpoint }) => {
  const itemOf = (table: string, pk: string) => getItem(testClient(endpoint), table, { pk, sk: 0 });

  it("lets a process borrow 64 units, and makes a call only when more are needed", async () => {
    const { read, calls } = processOn(endpoint, await recordTable(endpoint));
    for (let i = 0; i < 64; i += 1) await read(1);
    expect(calls).toEqual([]);
    for (let i = 0; i < 650; i += 1) await read(1);
    expect(calls).toHaveLength(10);
    // The last purchase waits until the units of the others are served.
    expect(passed()).toBe(9 * 65);
  });

  it("sells all processes together no more than the table serves, and refuses others at once", async () => {
    const table = await recordTable(endpoint);
    const processes = Array.from({ length: 20 }, () => processOn(endpoint, table));
    for (const { read } of processes) await read(250);
    // Each has to pay for what it has read and what it is going to read: half a second.
    const at: (number | string)[] = [];
    for (const { read } of processes) at.push(await read(250).then(passed, ({ code }) => code));
    expect(at).toEqual([0, ...Array(19).fill("TooManyRequests")]);

    vi.setSystemTime(START + 500);
    const [, second, third] = processes;
    await second?.read(250);
    expect(passed()).toBe(500);
    // It remembers that nothing was left until then.
    const before = third?.calls.length;
    vi.setSystemTime(START + 249);
    await expect(third?.read(250)).rejects.toMatchObject(refused);
    expect(third?.calls.length).toBe(before);
  });

  it("waits for a turn: a first read a quarter of a second, a further one a second, a write two", async () => {
    const table = await recordTable(endpoint);
    for (const [kind, sold, hasRead, expected] of [
      ["reads", 250, false, 250],
      ["reads", 251, false, "TooManyRequests"],
      ["reads", 1_000, true, 1_000],
      ["reads", 1_001, true, "TooManyRequests"],
      ["writes", 2_000, false, 2_000],
      ["writes", 2_001, false, "TooManyRequests"],
    ] as const) {
      const from = passed();
      await processOn(endpoint, table, kind).write(sold);
      const one = processOn(endpoint, table, kind);
      one.admission.take(100);
      const call = kind === "reads" ? one.read(1, hasRead) : one.write(1);
      const outcome = await call.then(passed, ({ code }) => code);
      const end = typeof expected === "number" ? from + expected : expected;
      expect([kind, sold, outcome]).toEqual([kind, sold, end]);
      vi.setSystemTime(Date.now() + 10_000);
    }
  });

  it("sells a write that takes longer than a request waits, and says when to try the next one", async () => {
    const table = await recordTable(endpoint);
    const { write } = processOn(endpoint, table, "writes");
    await write(5_000);
    expect(passed()).toBe(0);
    const error = await write(5_000).catch((error) => error);
    expect(error).toMatchObject(refused);
    expect(error.retryAfterSeconds).toBeGreaterThan(5);
    expect(error.retryAfterSeconds).toBeLessThan(10);
    vi.setSystemTime(START + 5_000);
    await write(5_000);
    expect(passed()).toBe(5_000);
    const sold = { sold_until: START + 10_000, expires_at: START / 1_000 + 10 + 3_600 };
    expect(await itemOf(table, "writes#")).toMatchObject(sold);
  });

  it("ends the wait when the time of the request is over, and keeps what was bought", async () => {
    const table = await recordTable(endpoint);
    await processOn(endpoint, table, "writes").write(1_500);
    const admission = new Admission(testClient(endpoint), table, "writes", RATE, sleep);
    await expect(admission.obtain(500, AbortSignal.abort())).rejects.toMatchObject(refused);
    await admission.obtain(500);
    expect(passed()).toBe(0);
  });

  it("lets the first read of a process end before it admits others, which are expected to take as much", async () => {
    const { admission, calls } = processOn(endpoint, await recordTable(endpoint));
    const report = await admission.admit();
    const admitted = vi.fn();
    const others = Array.from({ length: 3 }, () => admission.admit({ hasRead: true }).then(admitted));
    await allOthers();
    expect(admitted).not.toHaveBeenCalled();
    report(100);
    await Promise.all(others);
    expect(calls).toHaveLength(3);
    // Units for the first one, and for those that have not ended.
    expect(passed()).toBe(300);
  });

  it("counts a throttled first read as a large one", async () => {
    const table = await recordTable(endpoint);
    const { admission, read } = processOn(endpoint, table);
    (await admission.admit())(undefined);
    await read(1);
    expect(await itemOf(table, "reads#")).toMatchObject({ sold_until: START + 2 * 256 });
  });

  it("forgets what is owed for a thousand texts, and admits everything where no stage limits the tables", () => {
    const client = testClient(endpoint);
    vi.stubEnv("MAX_READ_UNITS", "");
    vi.stubEnv("MAX_WRITE_UNITS", "");
    for (const kind of ["reads", "writes"] as const) expect(admissionOf(client, "t", kind)).toBeUndefined();
    vi.stubEnv("MAX_READ_UNITS", "1000");
    const first = admissionOf(client, "a-table", "reads#content#0");
    expect(admissionOf(client, "a-table", "reads#content#0")).toBe(first);
    for (let id = 1; id <= 1_000; id += 1) admissionOf(client, "a-table", `reads#content#${id}`);
    expect(admissionOf(client, "a-table", "reads#content#0")).not.toBe(first);
    vi.unstubAllEnvs();
  });

  it.each(onDefaultEngine(faults))("borrows up to a bound while all calls are %s", async (fault) => {
    const table = await recordTable(endpoint);
    const client = testClient(endpoint);
    let isAvailable = false;
    injectFaults(client, () => (isAvailable ? undefined : fault));
    const admission = new Admission(client, table, "reads", RATE, waitInFakeTime);
    const read = async (units: number) => (await admission.admit({ hasRead: true }))(units);
    let units = 0;
    const borrow = async () => {
      for (; units < 1_000_000; units += 256) await read(256);
    };
    await expect(borrow()).rejects.toMatchObject({ code: "ServiceUnavailable", retryAfterSeconds: 1 });
    expect(units).toBeGreaterThan(16_384);
    expect(units).toBeLessThan(16_384 + 2_048);

    // It does not pay for that later, when others need the units.
    isAvailable = true;
    await read(256);
    await read(256);
    const sold = await getItem(client, table, { pk: "reads#", sk: 0 });
    expect(sold).toMatchObject({ sold_until: START + 2 * 256 });
  });
});
