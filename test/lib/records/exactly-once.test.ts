import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isUncertain } from "../../../lib/dynamodb/client.ts";
import { getItem, type StoredItem } from "../../../lib/dynamodb/query.ts";
import {
  epochOf,
  newOperation,
  operationsOn,
  raiseEpoch,
  updateExactlyOnce,
  withoutOperations,
} from "../../../lib/records/exactly-once.ts";
import { engines, recordTable, testClient } from "../../support/database/database.ts";
import { deliver, type Fault, injectFaults, type Plan } from "../../support/database/faults.ts";
import { CONDITION_FAILED, late } from "../../support/database/late.ts";
import { scaled } from "../../support/effort.ts";

const Key = { pk: "0", sk: 1 };

interface Process {
  readonly increment: (epoch: number) => ReturnType<typeof updateExactlyOnce>;
  readonly arrive: () => Promise<unknown>;
}

/** @returns how each update ended, as its process sees it */
async function updateSixTimes({ increment, arrive }: Process): Promise<string[]> {
  const ends: string[] = [];
  let epoch = 0;
  for (let i = 0; i < 6; i += 1) {
    await increment(epoch).then(
      ({ isDone, item }) => {
        epoch = epochOf(item);
        ends.push(isDone ? "done" : "refused");
      },
      (error: unknown) => ends.push(isUncertain(error) ? "uncertain" : "failed"),
    );
    if (i % 2 === 1) await arrive();
  }
  return ends;
}

describe.each(engines)("an update that takes effect exactly once on $name", ({ endpoint }) => {
  /** An item that processes increment; each has faults of its own. */
  async function counted() {
    const TableName = await recordTable(endpoint);
    const client = testClient(endpoint);
    const read = async (): Promise<StoredItem> => (await getItem(client, TableName, Key)) ?? {};
    const process = (plan: Plan = () => undefined) => {
      const own = testClient(endpoint);
      const attempted = injectFaults(own, plan);
      const increment = (epoch: number) =>
        updateExactlyOnce(
          own,
          { TableName, Key },
          {
            operation: newOperation(),
            epoch,
            UpdateExpression: "SET #operation = :one ADD n :one",
            ExpressionAttributeValues: { ":one": 1 },
          },
        );
      return { increment, attempted, arrive: () => deliver(attempted) };
    };
    return { read, process, raise: () => raiseEpoch(client, { TableName, Key }) };
  }

  it("costs one call, and stores its operation", async () => {
    const { read, process } = await counted();
    const { increment, attempted } = process();
    expect(await increment(0)).toMatchObject({ isDone: true, item: { n: 1 } });
    expect(attempted).toEqual(["UpdateItem"]);
    expect(operationsOn(await read())).toHaveLength(1);
    expect(withoutOperations(await read())).toEqual({ ...Key, n: 1 });
  });

  it("is refused if the epoch has been raised since the item was read, and says which one it is", async () => {
    const { read, process, raise } = await counted();
    await raise();
    const { isDone, item } = await process().increment(0);
    expect([isDone, epochOf(item), (await read()).n]).toEqual([false, 1, undefined]);
    expect(await process().increment(1)).toMatchObject({ isDone: true });
  });

  it.each(["throttled", "conflict"] as const)(
    "raises no epoch and leaves nothing behind if all attempts are %s: they were answered",
    async (fault) => {
      const { read, process } = await counted();
      const error = await process(() => fault)
        .increment(0)
        .catch((thrown: unknown) => thrown);

      expect(error).toMatchObject({ code: "ServiceUnavailable" });
      expect(isUncertain(error)).toBe(false);
      expect(await read()).toEqual({});
    },
  );

  it("takes effect although a throttled attempt was followed by one without a response", async () => {
    const { read, process } = await counted();
    const plan: Plan = (_, attempt) => (["throttled", "lost"] as const)[attempt - 1];
    expect(await process(plan).increment(0)).toMatchObject({ isDone: true });
    expect(await read()).toMatchObject({ n: 1, epoch: 1 });
  });

  it.each([1, 2, 3])("takes no effect later if the first %i attempts are late", async (attempts) => {
    const { read, process } = await counted();
    const { increment, arrive } = process(late("UpdateItem", attempts));
    const isDone = await increment(0).then(
      (result) => result.isDone,
      () => false,
    );
    expect(isDone).toBe(attempts < 3);

    expect(await arrive()).toEqual(Array(attempts).fill(CONDITION_FAILED));
    expect((await read()).n).toBe(isDone ? 1 : undefined);
  });

  it("is uncertain if it gets no response, and the epoch cannot be raised", async () => {
    for (const fault of ["timeout", "throttled"] as const) {
      const { process } = await counted();
      const plan: Plan = (_, attempt) => (attempt <= 3 ? "timeout" : fault);
      const error = await process(plan)
        .increment(0)
        .catch((thrown: unknown) => thrown);

      expect(isUncertain(error)).toBe(true);
    }
  });

  it("is counted once in any history of faults, late attempts and other processes", async () => {
    const fault = fc.constantFrom<(Fault | undefined)[]>(
      undefined,
      undefined,
      undefined,
      "throttled",
      "conflict",
      "timeout",
      "lost",
      "late",
    );
    const histories = fc.array(fc.array(fault, { maxLength: 30 }), { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(histories, async (plans) => {
        const { read, process } = await counted();
        const processes = plans.map((faults) => process((_, attempt) => faults[attempt - 1]));
        const results = (await Promise.all(processes.map(updateSixTimes))).flat();
        const [done, uncertain] = ["done", "uncertain"].map((end) => results.filter((e) => e === end).length);
        for (const { arrive } of processes) await arrive();
        const { n = 0 } = await read();

        expect(Number(n)).toBeGreaterThanOrEqual(done ?? 0);
        expect(Number(n)).toBeLessThanOrEqual((done ?? 0) + (uncertain ?? 0));
      }),
      { numRuns: scaled(25) },
    );
  });
});
