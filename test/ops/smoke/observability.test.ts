import { expect, it } from "vitest";
import { observe } from "../../../ops/smoke/observability.ts";

const observed = {
  namespace: "service/prod",
  alarms: "service-prod-",
  logGroup: "service-prod-SystemLogs",
  requestId: "the-id",
  isTraced: true,
  startedAt: new Date("2026-11-26T12:00:00Z"),
};

const complete = {
  "filter-log-events": { events: [{}] },
  "list-metrics": { Metrics: [{}] },
  "describe-alarms": { MetricAlarms: [{ AlarmName: "a", StateValue: "OK" }] },
  "get-trace-summaries": { TraceSummaries: [{}] },
};

type Answers = Readonly<Record<string, Readonly<Record<string, readonly object[]>>>>;

/** What is missing, after so many pauses of all questions. @param answers of each attempt, the last for the rest */
async function missing(...answers: readonly Answers[]) {
  const asked = new Map<string, number>();
  let pauses = 0;
  const steps = await observe(
    observed,
    async ([, command = ""]) => {
      const attempt = asked.get(command) ?? 0;
      asked.set(command, attempt + 1);
      const found = (answers[attempt] ?? answers.at(-1))?.[command];
      if (found === undefined) throw new Error("AccessDenied");
      return found as never;
    },
    async () => {
      pauses += 1;
    },
  );
  return {
    pauses,
    failed: steps.flatMap(({ outcome, call, reason }) => (outcome === "fail" ? [call, reason] : [])),
  };
}

it("waits for what CloudWatch and X-Ray have later", async () => {
  expect(await missing(complete)).toEqual({ pauses: 0, failed: [] });
  expect(await missing({ ...complete, "list-metrics": { Metrics: [] } }, complete)).toEqual({
    pauses: 1,
    failed: [],
  });
});

it.each([
  ["filter-log-events", { events: [] }, "logs", "no line of the request the-id in service-prod-SystemLogs"],
  ["list-metrics", {}, "metrics", "no metric in service/prod: CloudWatch reads none out of the log lines"],
  [
    "describe-alarms",
    { MetricAlarms: [{ AlarmName: "service-prod-ServerErrors", StateValue: "INSUFFICIENT_DATA" }] },
    "alarms",
    "no value: service-prod-ServerErrors",
  ],
  ["get-trace-summaries", { TraceSummaries: [] }, "traces", "no trace"],
])("says after five minutes what %s lacks", async (command, answer, call, reason) => {
  expect(await missing({ ...complete, [command]: answer })).toEqual({ pauses: 19, failed: [call, reason] });
  const { [command as keyof typeof complete]: _, ...others } = complete;
  expect(await missing(others)).toMatchObject({ failed: [call, "AccessDenied"] });
});
