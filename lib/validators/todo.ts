import * as z from "zod";
import { text } from "./text.ts";

/** Todo (specification, "Resources and their fields"). */
export const Todo = z
  .object({ id: z.int().min(1), title: text(), completed: z.boolean() })
  .meta({ id: "Todo" });
export type Todo = z.output<typeof Todo>;

export const CreateTodoRequest = z.object({ title: text() }).meta({ id: "CreateTodoRequest" });

/** A field that is absent or null keeps the record's current value. */
export const UpdateTodoRequest = z
  .object({ title: text().nullish(), completed: z.boolean().nullish() })
  .meta({ id: "UpdateTodoRequest" });
export type UpdateTodoRequest = z.output<typeof UpdateTodoRequest>;
