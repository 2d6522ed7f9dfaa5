import { PostsRepository } from "../../../lib/repositories/posts/posts.ts";
import { MAX_CONTENT_LENGTH, MAX_TAGS, PostCreate } from "../../../lib/validators/post.ts";
import { type LargestRecord, longText } from "../../support/database/largest-record.ts";

const tags = Array.from({ length: MAX_TAGS }, (_, i) => `${i + 10}${longText(48)}`);
const post = PostCreate.parse({ title: longText(200), content: longText(MAX_CONTENT_LENGTH), tags });
const now = () => new Date(0);

export const largest: LargestRecord = {
  kilobytes: 5,
  create: (client, table, idempotency) =>
    new PostsRepository(client, table, now).create(Number.MIN_SAFE_INTEGER, post, idempotency),
};
