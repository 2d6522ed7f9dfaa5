import { BookingsRepository } from "../../lib/repositories/bookings.ts";
import type { AreaPerson } from "../define-area.ts";

/** A booking that is checked in is erased as well; its room stays occupied until the next one checks in. */
export const person: AreaPerson = {
  open: (client, table, owner) => new BookingsRepository(client, table).ownedBy(owner),
};
