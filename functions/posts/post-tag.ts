import { entityTag } from "../../lib/http/etag.ts";
import type { Post } from "../../lib/validators/post.ts";

/**
 * The entity tag of a post. The view count follows a dot: it is part of the representation, but a view is no edit, so
 * `If-Match` ignores it (docs/adr/0009).
 */
export function postTag(post: Post, json = JSON.stringify(post)): string {
  // Inside of a string, the quotes of this text would be escaped.
  const edited = json.replace(/,"view_count":\d+/, "");
  return `${entityTag(post, edited)}.${post.view_count}`;
}
