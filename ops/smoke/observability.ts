import { execFile } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { CommandError, messageOf } from "../../cli/errors.ts";
import type { Step } from "./smoke-test.ts";

interface Observed {
  /** The namespace of the stage's metrics, and what the names of its alarms begin with. */
  readonly namespace: string;
  readonly alarms: string;
  /** Of the function that handled the request. */
  readonly logGroup: string;
  readonly requestId: string;
  readonly isTraced: boolean;
  readonly startedAt: Date;
}

type Answer = Readonly<Record<string, readonly Readonly<Record<string, unknown>>[] | undefined>>;

/** CloudWatch has most lines within seconds, and metrics within minutes. */
const ATTEMPTS = 20;
const PAUSE_MS = 15_000;

/** Asks CloudWatch and X-Ray, for five minutes, whether they have what a request left. @param ask calls the AWS CLI */
export async function observe(
  { namespace, alarms, logGroup, requestId, isTraced, startedAt }: Observed,
  ask: (args: readonly string[]) => Promise<Answer> = askAws,
  pause: (milliseconds: number) => Promise<unknown> = sleep,
): Promise<Step[]> {
  const attempt = async (call: string, args: string, missing: (answer: Answer) => string | undefined) => {
    let reason: string | undefined = "";
    for (let i = 0; i < ATTEMPTS && reason !== undefined; i += 1) {
      if (i > 0) await pause(PAUSE_MS);
      reason = await ask(args.split(" ")).then(missing, messageOf);
    }
    return { outcome: reason === undefined ? ("pass" as const) : ("fail" as const), call, reason };
  };
  const since = startedAt.getTime();
  const lines = `--log-group-name ${logGroup} --start-time ${since} --filter-pattern "${requestId}"`;
  const times = `--start-time ${since / 1_000} --end-time ${since / 1_000 + 3_600}`;
  return Promise.all([
    attempt("logs", `logs filter-log-events ${lines}`, ({ events }) =>
      events?.length ? undefined : `no line of the request ${requestId} in ${logGroup}`,
    ),
    attempt("metrics", `cloudwatch list-metrics --namespace ${namespace}`, ({ Metrics }) =>
      Metrics?.length ? undefined : `no metric in ${namespace}: CloudWatch reads none out of the log lines`,
    ),
    attempt("alarms", `cloudwatch describe-alarms --alarm-name-prefix ${alarms}`, ({ MetricAlarms = [] }) => {
      const without = MetricAlarms.filter(({ StateValue }) => StateValue === "INSUFFICIENT_DATA");
      if (without.length === 0) return undefined;
      return `no value: ${without.map(({ AlarmName }) => AlarmName).join(", ")}`;
    }),
    isTraced
      ? attempt("traces", `xray get-trace-summaries ${times}`, ({ TraceSummaries }) =>
          TraceSummaries?.length ? undefined : "no trace",
        )
      : { outcome: "not tested", call: "traces", reason: "no function is traced" },
  ]);
}

/** @throws {CommandError} with what the AWS CLI says, or if there is none */
async function askAws(args: readonly string[]): Promise<Answer> {
  try {
    const { stdout } = await promisify(execFile)("aws", [...args, "--output", "json"]);
    return JSON.parse(stdout);
  } catch (error) {
    const { code, stderr = "" } = error as { code?: string; stderr?: string };
    if (code === "ENOENT") throw new CommandError("This needs the AWS CLI (aws).", { cause: error });
    throw new CommandError(stderr.trim() || messageOf(error), { cause: error });
  }
}
