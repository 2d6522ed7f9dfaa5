import { describe, expect, it } from "vitest";
import { engines, testClient } from "../../support/database/database.ts";
import type { FaultArea, OpenedArea } from "../../support/database/fault-area.ts";
import { type Fault, injectFaults, type Plan } from "../../support/database/faults.ts";
import { InterruptedWrite, interruptions, isWrite } from "../../support/database/interrupted-write.ts";
import { onlyOnce, scaled } from "../../support/effort.ts";
import { ofAreas } from "../../support/of-areas.ts";
import { ownFaultAreas } from "./fault-areas.ts";

const endpoint = engines[0]?.endpoint ?? "";

/** Runs the acts of an area in a process with faults. */
function casesOf([area, faultArea]: readonly [string, FaultArea<unknown>]) {
  const { open, writes, reads, others, state, isApproximate } = faultArea;
  async function run(opened: OpenedArea<unknown>, act: FaultArea<unknown>["state"], plan: Plan) {
    const client = testClient(endpoint);
    const attempted = injectFaults(client, plan);
    return { returned: await act(opened.with(client)), attempted };
  }
  const opened = lazily(() => open(endpoint));
  return {
    writes: Object.entries(writes).map(([name, act]) => {
      const outcome = async (plan: Plan) => {
        const tables = await open(endpoint);
        const { returned, attempted } = await run(tables, act, plan);
        return { attempted, outcome: [returned, await state(tables.with(testClient(endpoint)))] };
      };
      const withoutFault = lazily(() => outcome(() => undefined));
      const interruptedBy = (acts: (typeof others)[string]) =>
        new InterruptedWrite(endpoint, faultArea, act, acts);
      const beside = Object.entries(others).map(([name, acts]) => ({ name, write: interruptedBy(acts) }));
      const interrupted = Object.entries(interruptions)
        .filter((_, number) => number === 0 || !isApproximate)
        .map(([name, interruption], number) => ({ name, interruption, number, others: beside }));
      return { name: `${area}: ${name}`, outcome, withoutFault, interrupted };
    }),
    all: Object.entries({ ...writes, ...reads }).map(([name, act]) => ({
      name: `${area}: ${name}`,
      unavailable: async (fault: Fault) => run(await opened(), act, () => fault),
    })),
  };
}

function lazily<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

const areas = { ...ownFaultAreas, ...(await ofAreas<FaultArea<never>>("faults")) };
const cases = Object.entries(areas as Readonly<Record<string, FaultArea<unknown>>>).map(casesOf);

const faults = ["conflict", "throttled", "timeout", "refused"] as const;
const isQuick = scaled(5) < 5;
const upTo = (last: number) => Array.from({ length: last }, (_, i) => i + 1);
/** In `npm test` one of several, another one with each number. */
const sample = <T>(all: readonly T[], number: number) => (isQuick ? [all[number % all.length] as T] : all);

/** Lets a number of attempts fail. */
function failing(fault: Fault, from: number, times: number): Plan {
  let attempt = 0;
  return () => {
    attempt += 1;
    return attempt >= from && attempt < from + times ? fault : undefined;
  };
}

/** In `npm test` each write has two interruptions, others than the write before it. */
const writes = cases
  .flatMap((each) => each.writes)
  .map(({ interrupted, ...write }, index) => ({
    ...write,
    interrupted: isQuick ? interrupted.filter(({ number }) => (number + index) % 3 === 0) : interrupted,
  }));

describe.each(writes)("$name", ({ outcome, withoutFault, interrupted }) => {
  it("has the same result if attempts at any call fail", async () => {
    const { attempted, outcome: expected } = await withoutFault();
    const plans = attempted.flatMap((operation, index) =>
      // A lost response of a read is a time-out.
      [...sample(faults, index + 1), ...(isWrite(operation) ? ["lost" as const] : [])].flatMap((fault) =>
        upTo(isQuick ? 1 : 2).map((times) => ({ from: index + 1, fault, times })),
      ),
    );
    for (const { from, fault, times } of plans) {
      const result = await outcome(failing(fault, from, times));
      expect(result.outcome, `${fault} at call ${from}`).toEqual(expected);
    }
  });

  it.each(interrupted)("is made once or never if $name", async ({ interruption, number, others }) => {
    const writes = (await withoutFault()).attempted.filter(isWrite).length;
    const all = upTo(writes).flatMap((from) =>
      sample(others, from + number).map((beside) => ({ from, ...beside })),
    );
    for (const { from, name, write } of all) {
      const result = await write.interrupted(interruption, from);
      const accepted = await write.accepted(result, interruption.isConcurrent);
      expect(accepted, `at call ${from} while others ${name}`).toContainEqual(result);
    }
  });
});

const acts = onlyOnce(cases.flatMap(({ all }) => all)).map((act, number) => ({ ...act, number }));
describe.each(acts)("$name", ({ unavailable, number }) => {
  it.each(sample(faults, number))("is unavailable if every call is %s", async (fault) => {
    const expected = { code: "ServiceUnavailable", retryAfterSeconds: expect.any(Number) };
    await expect(unavailable(fault)).rejects.toMatchObject(expected);
  });
});
