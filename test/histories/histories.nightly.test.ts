import { expect, it } from "vitest";
import type { DatabaseCall, Write } from "../support/database/faulty-engine.ts";
import { runHistory } from "./run-history.ts";

/** A seed determines the clients' choices and the faults, but not the order in which requests are processed. */
const { TEST_SEED: seed = String(Date.now() % 1e9), TEST_REQUESTS: requests = "1000" } = process.env;
const clients = 100;
const timeout = 3_600_000;

it(`the service with 100 clients and a failing database keeps its promises (TEST_SEED=${seed} TEST_REQUESTS=${requests})`, {
  timeout,
}, async () => {
  const result = await runHistory({ seed: Number(seed), requests: Number(requests), clients });
  process.stdout.write(`TEST_SEED=${seed}: ${JSON.stringify(result)}\n`);
  expect(result.violations).toEqual([]);
  expect(result.requests).toBeGreaterThanOrEqual(Number(requests));
  expect(result.faults).toBeGreaterThan(0);
});

/** Changes writes as mistakes in a repository would: a part of an expression → its replacement. */
const mistakes: Readonly<Record<string, string>> = {
  // Returns stock instead of deducting it.
  "SET stock = stock - :quantity": "SET stock = stock + :quantity",
  // Overwrites what has changed since it was read.
  "#seen0": "attribute_exists(pk) OR #seen0",
};

const isTombstone = ({ UpdateExpression }: Write) => /^ADD \w+ :value$/.test(UpdateExpression ?? "");
const isIdempotencyEntry = ({ Item }: Write) => Item?.pk?.S?.startsWith("key#") ?? false;

function withMistakes<W extends Write>(write: W): W {
  const changed = (value: unknown) => {
    if (typeof value !== "string") return value;
    const part = Object.keys(mistakes).find((each) => value.includes(each));
    return part ? value.replace(part, String(mistakes[part])) : value;
  };
  const entries = Object.entries(write).map(([name, value]) => [name, changed(value)]);
  return Object.fromEntries(entries) as unknown as W;
}

/** Forgets tombstones and idempotency keys and skips ids, besides the mistakes above. */
function sabotage({ body }: DatabaseCall): DatabaseCall["body"] {
  if (body.TransactItems === undefined) {
    const values = body.ExpressionAttributeValues;
    const skipping = { ExpressionAttributeValues: { ...values, ":one": { N: "2" } } };
    return { ...withMistakes(body), ...(body.UpdateExpression?.endsWith("ADD #last :one") && skipping) };
  }
  const items = body.TransactItems.map((item) => Object.entries(item))
    .filter((writes) => !writes.some(([, write]) => isTombstone(write) || isIdempotencyEntry(write)))
    .map((writes) => Object.fromEntries(writes.map(([kind, write]) => [kind, withMistakes(write)])));
  return { ...body, TransactItems: items };
}

it("the check of a history finds a service with mistakes in its repositories", { timeout }, async () => {
  // Many faults, so that few requests suffice.
  const { violations } = await runHistory({ seed: 7, requests: 250, clients }, sabotage, 4);
  for (const expected of [
    /^products: \d+ had a stock of -?\d+, which is not/,
    /^\w+: \d+ ids are unused, but only \d+ creations failed/,
    /^\w+: \d+ ids had to be repaired, but only/,
    /^\w+: key-\S+ got different responses/,
  ])
    expect(violations).toContainEqual(expect.stringMatching(expected));
});
