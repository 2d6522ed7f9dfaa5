import type { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { describe, expect, it, vi } from "vitest";
import { ReadBudget } from "../../../lib/domain/read-budget.ts";
import { Admission, admissionOf, COUNTED_READS } from "../../../lib/dynamodb/admission.ts";
import { getItem } from "../../../lib/dynamodb/query.ts";
import { engines, recordTable, testClient } from "../../support/database/database.ts";

const UNITS_PER_SECOND = 10_000;
/** The start of a window. The admission follows the database if the clock is off, so it is the real time. */
const windowStart = () => Math.floor(Date.now() / 250) * 250;

/** A request that has or has not read before. */
function request({ hasRead = false } = {}): ReadBudget {
  const budget = new ReadBudget(() => new AbortController().signal);
  if (hasRead) budget.end(0);
  return budget;
}

function counted(client: DynamoDBDocumentClient) {
  const send = vi.spyOn(client, "send");
  return { client, calls: () => send.mock.calls.length };
}

describe.each(engines)("the admission to reads ($name)", ({ endpoint }) => {
  it("makes no call until many units were taken", async () => {
    const { client, calls } = counted(testClient(endpoint));
    const admission = new Admission(client, await recordTable(endpoint), UNITS_PER_SECOND);
    let partition = 0;
    const read = async (units: number) => {
      partition += 1;
      const report = await admission.admit(String(partition), request());
      report(units);
    };
    await read(1);
    const first = calls();
    for (let i = 0; i < 500; i += 1) await read(1);
    expect([first, calls()]).toEqual([0, 7]);

    for (let i = 0; i < 50; i += 1) await read(20);
    expect(calls()).toBeGreaterThan(10);
    expect(calls()).toBeLessThan(40);
  });

  it("lets all processes together read a part of the table, and refuses others before they read", async () => {
    const table = await recordTable(endpoint);
    const now = windowStart();
    vi.useFakeTimers({ now, toFake: ["Date"] });
    const processes = Array.from(
      { length: 60 },
      () => new Admission(testClient(endpoint), table, UNITS_PER_SECOND),
    );
    const readAll = () =>
      Promise.allSettled(processes.map(async (each, i) => (await each.admit(String(i), request()))(256)));
    const first = await readAll();
    const second = await readAll();
    vi.useRealTimers();
    const admitted = (results: typeof first) => results.filter(({ status }) => status === "fulfilled").length;

    // The first read of a process is paid for before its second one: 65 % of 10,000 in a quarter of a second.
    expect([admitted(first), admitted(second)]).toEqual([60, 3]);
    expect(second.find(({ status }) => status === "rejected")).toMatchObject({
      reason: { code: "TooManyRequests", retryAfterSeconds: expect.any(Number) },
    });
    const counter = await getItem(testClient(endpoint), table, { pk: COUNTED_READS + now / 250, sk: 0 });
    expect(counter).toMatchObject({ units: 3 * 2 * 256, expires_at: Math.floor(now / 1_000) + 3_600 });
  });

  it("keeps a third of a partition key, and asks once a window when nothing is left", async () => {
    const table = await recordTable(endpoint);
    const now = windowStart();
    vi.useFakeTimers({ now, toFake: ["Date"] });
    const { client, calls } = counted(testClient(endpoint));
    const admission = new Admission(client, table, UNITS_PER_SECOND);
    const ends: string[] = [];
    for (const partition of ["0", "0", "0", "0", "1"])
      await admission.admit(partition, request()).then(
        (report) => {
          report(256);
          ends.push(partition);
        },
        () => ends.push("refused"),
      );
    vi.setSystemTime(now + 250);
    ends.push(await admission.admit("0", request()).then(() => "later"));
    vi.useRealTimers();

    expect(ends).toEqual(["0", "0", "refused", "refused", "1", "later"]);
    expect(calls()).toBe(4);
  });

  it("never refuses many new processes that read little at once", async () => {
    const { client, calls } = counted(testClient(endpoint));
    const table = await recordTable(endpoint);
    for (let i = 0; i < 100; i += 1) {
      const admission = new Admission(client, table, 1_000);
      for (let read = 0; read < 10; read += 1) (await admission.admit("0", request()))(2);
    }
    expect(calls()).toBe(0);
  });

  it("admits a large write when those before it are paid for", async () => {
    const now = windowStart();
    vi.useFakeTimers({ now, toFake: ["Date"] });
    const admission = new Admission(testClient(endpoint), await recordTable(endpoint), 5_000, "writes");
    for (let i = 0; i < 2; i += 1) {
      await admission.admitWrite();
      admission.take(832);
    }
    await expect(admission.admitWrite()).rejects.toMatchObject({ code: "TooManyRequests" });
    vi.setSystemTime(now + 250);
    await admission.admitWrite();
    vi.useRealTimers();
  });

  it("lets a request that has begun wait for its turn", async () => {
    const table = await recordTable(endpoint);
    const others = new Admission(testClient(endpoint), table, UNITS_PER_SECOND);
    const admission = new Admission(testClient(endpoint), table, UNITS_PER_SECOND);
    for (let i = 0; i < 2; i += 1) (await others.admit("0", request()))(256);
    (await admission.admit("0", request()))(256);
    const begun = await admission.admit("0", request({ hasRead: true }));
    expect(begun).toEqual(expect.any(Function));
  });
});

it("everything is admitted where no stage limits the tables", () => {
  vi.stubEnv("MAX_READ_UNITS", "");
  expect(admissionOf(testClient("http://localhost:1"), "a-table")).toBeUndefined();
  vi.unstubAllEnvs();
});
