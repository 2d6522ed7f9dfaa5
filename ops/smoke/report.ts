import { textTable } from "../cli/table.ts";
import type { Finding } from "./probes.ts";
import type { Walk } from "./smoke-test.ts";

/**
 * Writes what a walk has found.
 *
 * @param walk its steps, and what it left behind
 * @param findings about the gateway
 * @param seconds all of it took
 */
export function report(
  { steps, leftBehind }: Pick<Walk, "steps" | "leftBehind">,
  findings: readonly Finding[],
  seconds: number,
): string {
  const columns = [
    { heading: "" },
    { heading: "Area" },
    { heading: "Call" },
    { heading: "Status", isNumeric: true },
    { heading: "ms", isNumeric: true },
    { heading: "" },
  ];
  const rows = steps.map(({ outcome, area, call, status, milliseconds, reason = "" }) => [
    outcome === "fail" ? "FAIL" : outcome,
    area,
    call,
    status?.toString() ?? "",
    milliseconds?.toFixed(0) ?? "",
    reason.replace(/\s*\n\s*/g, "; "),
  ]);
  const count = (wanted: string) => steps.filter(({ outcome }) => outcome === wanted).length;
  const left =
    leftBehind.length === 0 ? "" : `Left behind, since no route removes it: ${leftBehind.join(", ")}.\n`;
  const probed = textTable(
    [{ heading: "The gateway" }, { heading: "How this one takes it (information, neither right nor wrong)" }],
    findings.map(({ subject, found }) => [subject, found]),
  );
  return [
    textTable(columns, rows),
    `\n${count("pass")} passed, ${count("fail")} failed, ${count("not tried")} not tried, in ${seconds.toFixed(1)} s.\n`,
    left,
    findings.length === 0 ? "" : `\n${probed}`,
  ].join("");
}
