import * as z from "zod/mini";
import { integer } from "./integer.ts";
import { named } from "./metadata.ts";
import { text } from "./text.ts";

const id = integer({ min: 1 });
const fields = { name: text({ min: 1, max: 100 }), seats: integer({ min: 1, max: 1_000 }) };

export const Room = named("Room", z.object({ id, ...fields, occupied_by: z.nullable(id) }));
export type Room = z.output<typeof Room>;

export const RoomRequest = named("RoomRequest", z.object(fields));
