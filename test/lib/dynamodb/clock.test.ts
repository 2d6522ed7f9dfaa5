import { GetCommand } from "@aws-sdk/lib-dynamodb";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { documentClient } from "../../../lib/dynamodb/client.ts";
import { currentTime } from "../../../lib/dynamodb/clock.ts";
import { logDamage } from "../../../lib/log/log.ts";
import { startLoopback } from "../../../local/loopback.ts";
import { connection } from "../../support/database/database.ts";

vi.mock("../../../lib/log/log.ts");

const ours = Date.parse("2026-03-01T12:00:00.000Z");
const minutes = (count: number) => count * 60_000;
let dates: (string | number)[];
let close: () => Promise<void>;
let url: string;

beforeEach(async () => {
  vi.useFakeTimers({ now: ours, toFake: ["Date"] });
  ({ url, close } = await startLoopback((_, response) => {
    const date = dates.shift() ?? "";
    response.setHeader("date", typeof date === "number" ? new Date(date).toUTCString() : date).end("{}");
  }));
});
afterEach(async () => {
  vi.useRealTimers();
  await close();
});

it("follows the database if the clock is off by more than a minute, says so once, and returns to its clock", async () => {
  const client = documentClient({ config: connection(url) });
  const seen: number[] = [];
  dates = [ours, ours + minutes(11), "no date", ours + minutes(12), ours - minutes(60), ours + 59_000];
  while (dates.length > 0) {
    await client.send(new GetCommand({ TableName: "t", Key: { pk: "0" } }));
    seen.push((currentTime().getTime() - ours) / 60_000);
  }

  expect(seen).toEqual([0, 11, 11, 12, -60, 0]);
  expect(vi.mocked(logDamage).mock.calls).toEqual([["clock is off", 1, { milliseconds: minutes(-11) }]]);
});
