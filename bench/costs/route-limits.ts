import { routeLimits } from "../../infra/gateway/gateway.ts";
import type { Stage } from "../../infra/settings/stages.ts";
import { keyOf } from "./measurements.ts";
import type { UnitsByKey } from "./partition-keys.ts";

type Units = Readonly<Record<"read" | "write", number>>;

/** How often the gateway lets a route be called, in a second. */
export function gatewayLimit(stage: Stage, request: string): number {
  const key = keyOf(request).replace(/(?<=.)\/$/, "");
  return routeLimits(stage)[key]?.perSecond ?? stage.requestsPerSecond;
}

/** The units of a request by table and index, each of which has a maximum throughput of its own. */
export function unitsByTable(byKey: UnitsByKey): ReadonlyMap<string, Units> {
  const tables = new Map<string, Units>();
  for (const [key, { read, write }] of byKey) {
    const [name = ""] = /^[^/]+(\/index\/[^/]+)?/.exec(key) ?? [];
    const before = tables.get(name) ?? { read: 0, write: 0 };
    tables.set(name, { read: before.read + read, write: before.write + write });
  }
  return tables;
}
