import * as z from "zod/mini";
import { ListQuery } from "./cursor.ts";
import { integer } from "./integer.ts";
import { named } from "./metadata.ts";
import { textParameter } from "./parameter.ts";
import { text } from "./text.ts";

const id = integer({ min: 1 });
const fields = { text: text({ min: 1, max: 1_000 }) };

export const Comment = named("Comment", z.object({ id, room_id: id, ...fields }));
export type Comment = z.output<typeof Comment>;

export const CreateCommentRequest = named("CreateCommentRequest", z.object(fields));

export const CommentQuery = z.extend(ListQuery, {
  q: textParameter(z.optional(z.string()), "Only comments with this text, in any case"),
});
