import { entityTag } from "../../lib/http/etag.ts";
import type { Post } from "../../lib/validators/post.ts";

/**
 * The entity tag of a post. The view count follows a dot: it is part of the representation, but a view is no edit, so
 * `If-Match` ignores it (docs/adr/0009).
 */
export function postTag({ view_count, ...edited }: Post): string {
  return `${entityTag(edited)}.${view_count}`;
}
