import * as z from "zod/mini";
import { integer } from "./integer.ts";
import { named } from "./metadata.ts";
import { nullishToUndefined } from "./preprocess.ts";
import { text } from "./text.ts";

/** Bounded, since the lists read every todo (docs/decisions.md). */
const title = text({ max: 1_000 });

export const Todo = named(
  "Todo",
  z.object({ id: integer({ min: 1 }), title: text(), completed: z.boolean() }),
);
export type Todo = z.output<typeof Todo>;

export const CreateTodoRequest = named("CreateTodoRequest", z.object({ title }));

export const UpdateTodoRequest = named(
  "UpdateTodoRequest",
  z.object({ title: nullishToUndefined(title), completed: nullishToUndefined(z.boolean()) }),
);
