import * as z from "zod/mini";
import { currentTime } from "../../lib/repositories/dynamodb/clock.ts";
import { toPost } from "../../lib/repositories/posts/post-items.ts";
import { PostReader } from "../../lib/repositories/posts/post-reader.ts";
import { PostsRepository } from "../../lib/repositories/posts/posts.ts";
import { RecordRepository } from "../../lib/repositories/records/record-repository.ts";
import type { AreaPerson } from "../define-area.ts";

const StoredAuthor = z.object({ author_id: z.int(), owner: z._default(z.string(), "") });
type Authored = { readonly id: number } & z.output<typeof StoredAuthor>;

export const person: AreaPerson = {
  open(client, table, owner) {
    const reader = new PostReader(client, table);
    const posts = new PostsRepository(client, table, currentTime).ownedBy(owner);
    return {
      // Without counting a view.
      get: async (id) => {
        const post = await reader.post(id);
        return post && toPost(post);
      },
      remove: (id) => posts.remove(id),
    };
  },
  async find(client, table, { idsIn }) {
    const [authors, ids] = [await idsIn("users"), [] as number[]];
    const summaries = new RecordRepository<Authored>(client, table, StoredAuthor);
    await summaries.forEach(["author_id", "owner"], (post) => {
      // Anybody can name an author, and user record 1 is the default.
      if (post.owner === "" && authors.includes(post.author_id)) ids.push(post.id);
    });
    return ids;
  },
};
