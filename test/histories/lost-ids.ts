import type { DatabaseCall, EngineFault } from "../support/database/faulty-engine.ts";
import { type RecordArea, recordAreas } from "./history.ts";

const MAX_ATTEMPTS = 3;

/** Counts ids that faults may have lost although no creation failed: allocated twice, or impossible to release. */
export class LostIds {
  readonly byArea: Partial<Record<RecordArea, number>> = {};
  readonly #findTable: (area: string) => string | undefined;
  readonly #faults = new Map<string, number>();

  constructor(findTable: (area: string) => string | undefined) {
    this.#findTable = findTable;
  }

  count({ body, invocation }: DatabaseCall, fault: EngineFault): void {
    const writes = body.TransactItems?.flatMap((item) => Object.values(item)) ?? [body];
    const write = writes.find(({ Key, UpdateExpression }) => Key?.pk?.S === "ids" && UpdateExpression);
    const area = recordAreas.find((each) => write && this.#findTable(each) === write.TableName);
    if (area === undefined) return;
    const attempts = (this.#faults.get(invocation) ?? 0) + 1;
    this.#faults.set(invocation, attempts);
    const lost = body.TransactItems === undefined ? timesMade(fault) : 0;
    this.byArea[area] = (this.byArea[area] ?? 0) + lost + (attempts === MAX_ATTEMPTS ? 1 : 0);
  }
}

/** How often a call takes effect without a response. */
function timesMade(fault: EngineFault): number {
  if (typeof fault === "object") return fault.isRepeated ? 2 : 1;
  return ["lost", "resetAfter", "stalledAfter"].includes(fault) ? 1 : 0;
}
