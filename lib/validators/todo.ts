import * as z from "zod/mini";
import { integer } from "./integer.ts";
import { namedObject } from "./metadata.ts";
import { allNullishToUndefined } from "./preprocess.ts";
import { text } from "./text.ts";

/** Bounded, since the lists read every todo (docs/decisions.md). */
const title = text({ max: 1_000 });

export const Todo = namedObject("Todo", { id: integer({ min: 1 }), title: text(), completed: z.boolean() });
export type Todo = z.output<typeof Todo>;

export const CreateTodoRequest = namedObject("CreateTodoRequest", { title });

export const UpdateTodoRequest = namedObject(
  "UpdateTodoRequest",
  allNullishToUndefined({ title, completed: z.boolean() }),
);
