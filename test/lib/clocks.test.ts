import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import * as z from "zod/mini";
import { secret } from "../../lib/auth/secrets.ts";
import { Tokens } from "../../lib/auth/tokens.ts";
import { currentTime } from "../../lib/dynamodb/clock.ts";
import { Idempotency } from "../../lib/records/idempotency.ts";
import { type RecordOf, RecordRepository } from "../../lib/records/record-repository.ts";
import { LoginThrottle } from "../../lib/repositories/accounts/login-throttle.ts";
import { startLoopback } from "../../local/loopback.ts";
import type { ClockPath } from "../support/clock-path.ts";
import { idempotencyContext } from "../support/data/idempotency.ts";
import { engines, recordTable, testClient } from "../support/database/database.ts";
import { type FaultyEngine, faultyEngine } from "../support/database/faulty-engine.ts";
import { ofAreas } from "../support/of-areas.ts";

const MINUTE = 60_000;
const StoredNote = z.object({ at: z.string() });
type Note = RecordOf<typeof StoredNote>;

const endpoint = engines[0]?.endpoint ?? "";
const aws = { time: 0 };
let proxy: FaultyEngine;
let client: ReturnType<typeof testClient>;
/** A table that functions have read. */
let warm: string;
let secretStore: Awaited<ReturnType<typeof startLoopback>>;

beforeAll(async () => {
  proxy = await faultyEngine(endpoint);
  client = testClient(proxy.url);
  warm = await recordTable(endpoint);
  proxy.now = () => aws.time;
  secretStore = await startLoopback((_, response) => {
    response.setHeader("date", new Date(aws.time).toUTCString()).end('{"SecretString":"0123456789"}');
  });
  vi.stubEnv("SIGNING_SECRETS_ARN", "arn");
  vi.stubEnv("AWS_ENDPOINT_URL_SECRETS_MANAGER", secretStore.url);
  for (const name of ["AWS_REGION", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"])
    vi.stubEnv(name, "us-east-1");
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await proxy.close();
  await secretStore.close();
});
beforeEach(() => {
  aws.time = Date.parse("2026-03-01T12:01:00.000Z");
  vi.useFakeTimers({ toFake: ["Date"], now: aws.time });
});
afterEach(() => void vi.useRealTimers());

const paths: Readonly<Record<string, ClockPath>> = {
  async "a revision: each change is seen, and its time is right"({ client, table, byOne, byOther, aws }) {
    const notes = new RecordRepository<Note>(client, table, StoredNote);
    const { record } = await byOne(() => notes.create({ at: "" }, undefined));
    for (const turn of [byOne, byOther, byOne, byOther]) {
      const changed = await turn(() => notes.overwrite(record.id, (at) => ({ at })));
      expect(await notes.get(record.id)).toEqual(changed);
      expect(Math.abs(Date.parse(String(changed?.at)) - aws.time)).toBeLessThanOrEqual(MINUTE);
    }
  },

  async "the time of a creation: it is right, and not before that of a smaller id"({
    client,
    table,
    byOne,
    byOther,
    aws,
  }) {
    const notes = new RecordRepository<Note>(client, table, StoredNote, currentTime);
    const times: string[] = [];
    for (const turn of [byOne, byOther, byOne, byOther])
      times.push((await turn(() => notes.create((at) => ({ at }), undefined))).record.at);
    expect(times).toEqual([...times].sort());
    for (const at of times) expect(Math.abs(Date.parse(at) - aws.time)).toBeLessThanOrEqual(MINUTE);
  },

  async "a key: it is kept for a day, and not longer"({ client, table, byOne, byOther, aws }) {
    const idempotency = new Idempotency(client, table);
    // API Gateway says when a request arrived.
    const context = () => idempotencyContext("key", { receivedAt: new Date(aws.time) });
    expect(await byOne(() => idempotency.claim(context(), { first: true }))).toBe(true);
    aws.time += 24 * 60 * MINUTE - 1_000;
    expect(await byOther(() => idempotency.claim(context(), { second: true }))).toBe(false);
    expect(await byOther(() => idempotency.find(context()))).toEqual({ first: true });
    aws.time += MINUTE;
    expect(await byOther(() => idempotency.claim(context(), { second: true }))).toBe(true);
  },

  async "a token: it is valid for half an hour, also in a new function"({ byOne, byOther, aws }) {
    const newFunction = () => new Tokens({ secrets: secret("SIGNING_SECRETS"), now: currentTime });
    const token = await byOne(() => newFunction().issue("ada"));
    aws.time += 29 * MINUTE;
    expect(await byOther(() => newFunction().verify(token))).toMatchObject({ username: "ada" });
    aws.time += 2 * MINUTE;
    await expect(byOther(() => newFunction().verify(token))).rejects.toThrow("Token has expired");
  },

  async "failed logins: they delay the next one"({ client, table, byOne, byOther, aws }) {
    const logins = new LoginThrottle(client, table, currentTime);
    const begin = () => logins.begin("ada", "203.0.113.7");
    for (let i = 0; i < 5; i += 1) await byOne(async () => (await begin()).failed());
    await expect(byOther(begin)).rejects.toMatchObject({ code: "TooManyRequests" });
    aws.time += MINUTE;
    await byOther(begin);
  },
};

const ofAllAreas = Object.values(await ofAreas<typeof paths>("clocks"));

describe.each(Object.entries(Object.assign(paths, ...ofAllAreas) as typeof paths))("%s", (name, path) => {
  it.each([-60, -11, -6, -2, 2, 6, 11, 60])("with a clock that is %i minutes off", async (minutes) => {
    const turnOf =
      (offset: number) =>
      async <T>(work: () => Promise<T>) => {
        vi.setSystemTime(aws.time + offset * MINUTE);
        // A token needs no more than the secret.
        if (!name.startsWith("a token")) await new RecordRepository(client, warm, StoredNote).read(1);
        return await work();
      };
    for (const [one, other] of [
      [minutes, 0],
      [-minutes, minutes],
    ] as const) {
      const table = await recordTable(endpoint, name.startsWith("failed") ? "S" : "N");
      await path({ client, table, byOne: turnOf(one), byOther: turnOf(other), aws });
    }
  });
});
