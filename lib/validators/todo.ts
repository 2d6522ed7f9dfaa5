import * as z from "zod";
import { nullishToUndefined } from "./nullish.ts";
import { text } from "./text.ts";

/** Todo (specification, "Resources and their fields"). */
export const Todo = z
  .object({ id: z.int().min(1), title: text(), completed: z.boolean() })
  .meta({ id: "Todo" });
export type Todo = z.output<typeof Todo>;

export const CreateTodoRequest = z.object({ title: text() }).meta({ id: "CreateTodoRequest" });

export const UpdateTodoRequest = z
  .object({ title: nullishToUndefined(text()), completed: nullishToUndefined(z.boolean()) })
  .meta({ id: "UpdateTodoRequest" });
