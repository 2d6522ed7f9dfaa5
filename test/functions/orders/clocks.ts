import { expect } from "vitest";
import { currentTime } from "../../../lib/dynamodb/clock.ts";
import { Reservations } from "../../../lib/repositories/orders/reservations.ts";
import type { ClockPath } from "../../support/clock-path.ts";

export const clocks: Readonly<Record<string, ClockPath>> = {
  async "a reservation: it is released after a minute or two, and not before"({
    client,
    table,
    byOne,
    byOther,
    aws,
  }) {
    const reservations = new Reservations(client, { orders: table, products: table }, currentTime);
    expect(await byOne(() => reservations.reserve([]))).toBeDefined();
    aws.time += 1_000;
    expect(await byOther(() => reservations.releaseAbandoned())).toBe(0);
    aws.time += 120_000;
    expect(await byOther(() => reservations.releaseAbandoned())).toBe(1);
  },
};
