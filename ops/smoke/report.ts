import { textTable } from "../../cli/table.ts";
import type { ProbeResult } from "./probes.ts";
import type { Step } from "./smoke-test.ts";

/**
 * Formats the result of a smoke test.
 *
 * @param leftBehind created records that no route deletes, in words; `unique` is part of their names
 * @param probeResults empty if the gateway was not probed
 * @param seconds duration of everything
 */
export function smokeReport(
  steps: readonly Step[],
  leftBehind: readonly string[],
  unique: string,
  probeResults: readonly ProbeResult[],
  seconds: number,
): string {
  const columns = ["", "Area", "Call", "Status", "ms", ""].map((heading) => ({
    heading,
    isNumeric: heading === "Status" || heading === "ms",
  }));
  const rows = steps.map(({ outcome, area, call, status, milliseconds, reason = "" }) => [
    outcome === "fail" ? "FAIL" : outcome,
    area,
    call,
    status?.toString() ?? "",
    milliseconds?.toFixed(0) ?? "",
    reason.replace(/\s*\n\s*/g, "; "),
  ]);
  const count = (wanted: Step["outcome"]) => steps.filter(({ outcome }) => outcome === wanted).length;
  const remaining =
    leftBehind.length === 0
      ? ""
      : `Left behind (names contain ${unique}), because no route deletes it: ${leftBehind.join(", ")}.\n`;
  const probed = textTable(
    [{ heading: "Gateway" }, { heading: "Behavior (for information, neither right nor wrong)" }],
    probeResults.map(({ subject, behavior }) => [subject, behavior]),
  );
  return [
    textTable(columns, rows),
    `\n${count("pass")} passed, ${count("fail")} failed, ${count("not tested")} not tested, in ${seconds.toFixed(1)} s.\n`,
    remaining,
    probeResults.length === 0 ? "" : `\n${probed}`,
  ].join("");
}
