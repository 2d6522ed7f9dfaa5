import type {
  Change,
  Creation,
  Deletion,
  FinalState,
  History,
  Operation,
  Read,
  RecordArea,
  StoredRecord,
} from "./history.ts";

/** A value that a field may have had from `start` on. */
export interface Written {
  readonly value: unknown;
  readonly start: number;
  /** Infinite while it is unknown whether and when it was written. */
  readonly end: number;
  readonly isDone: boolean;
}

export interface AreaHistory {
  readonly area: RecordArea;
  readonly creations: readonly Creation[];
  readonly changes: ReadonlyMap<number, readonly Change[]>;
  readonly deletions: ReadonlyMap<number, readonly Deletion[]>;
  readonly reads: readonly Read[];
  readonly created: ReadonlyMap<number, Creation>;
  readonly final: ReadonlyMap<number, StoredRecord>;
}

export function historyOf(area: RecordArea, { operations }: History, { listings }: FinalState): AreaHistory {
  const inArea = operations.filter((operation) => operation.area === area);
  const ofKind = <K extends Operation["kind"]>(kind: K) =>
    inArea.filter((operation): operation is Extract<Operation, { kind: K }> => operation.kind === kind);
  const creations = ofKind("creation");
  return {
    area,
    creations,
    changes: Map.groupBy(ofKind("change"), ({ id }) => id),
    deletions: Map.groupBy(ofKind("deletion"), ({ id }) => id),
    reads: ofKind("read"),
    created: acknowledgedCreations(creations),
    final: new Map((listings[area][0]?.records ?? []).map((record) => [record.id, record])),
  };
}

/** From the first attempt, which may have created the record, to the first acknowledgement. */
function acknowledgedCreations(creations: readonly Creation[]): ReadonlyMap<number, Creation> {
  const created = new Map<number, Creation>();
  for (const attempts of Map.groupBy(creations, ({ group }) => group).values()) {
    const start = Math.min(...attempts.map((attempt) => attempt.start));
    for (const attempt of attempts.toSorted((a, b) => b.end - a.end))
      if (attempt.record) created.set(attempt.record.id, { ...attempt, start });
  }
  return created;
}

/** A refused change counts if its record was deleted after a lost response: then others may have read it. */
export function writesTo(
  { created, changes, deletions }: Pick<AreaHistory, "created" | "changes" | "deletions">,
  id: number,
  field: string,
): Written[] {
  const creation = created.get(id);
  const wasMade = ({ outcome, start, end }: Creation | Change) =>
    outcome !== "refused" ||
    deletions.get(id)?.some((other) => other.outcome !== "refused" && other.start < end && start < other.end);
  return [...(creation ? [creation] : []), ...(changes.get(id) ?? [])]
    .filter((write) => wasMade(write) && Object.hasOwn(write.fields, field))
    .map(({ fields, outcome, start, end }) => {
      const isDone = outcome === "done";
      return { value: fields[field], start, end: isDone ? end : Infinity, isDone };
    });
}

/** Whether a written value may have been the current one at a time from `start` to `end`. */
export function isCurrent(write: Written, all: readonly Written[], start: number, end: number): boolean {
  if (write.start >= end) return false;
  return !all.some((other) => other.isDone && other.start > write.end && other.end < start);
}
