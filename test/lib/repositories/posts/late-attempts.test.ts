import { describe, expect, it } from "vitest";
import { getItem } from "../../../../lib/dynamodb/query.ts";
import { recordKey } from "../../../../lib/records/id-blocks.ts";
import { PostsRepository } from "../../../../lib/repositories/posts/posts.ts";
import { throughBurst } from "../../../support/database/burst.ts";
import { engines, recordTable, testClient } from "../../../support/database/database.ts";
import type { Plan } from "../../../support/database/faults.ts";
import { CANCELLED, CONDITION_FAILED, late, unlucky } from "../../../support/database/late.ts";

const noon = new Date("2026-03-01T12:00:00.000Z");
const unavailable = { code: "ServiceUnavailable" };

describe.each(engines)("an attempt at a post that arrives late on $name", ({ endpoint }) => {
  async function withPost(plan: Plan) {
    const table = await recordTable(endpoint);
    const others = new PostsRepository(testClient(endpoint), table, () => noon);
    await others.create(1, { title: "a", content: "a", status: "draft", tags: ["a"] }, undefined);
    const { client, arrive } = unlucky(endpoint, plan);
    return { posts: new PostsRepository(client, table, () => noon), others, arrive };
  }

  it("undoes no change that was made at the same time", async () => {
    const { posts, others, arrive } = await withPost(late("UpdateItem"));
    await posts.update(1, { title: "b" });
    await others.update(1, { title: "c" });
    expect(await arrive()).toEqual([CONDITION_FAILED]);
    expect(await others.view(1)).toMatchObject({ title: "c" });
  });

  it("undoes no change of the content and the tags, even if the post is as it was", async () => {
    const { posts, others, arrive } = await withPost(async (operation, attempt) => {
      if (operation !== "TransactWriteItems" || attempt > 2) return undefined;
      if (attempt === 2) await others.update(1, { title: "b" });
      return attempt === 1 ? "late" : undefined;
    });
    await posts.update(1, { content: "b", tags: ["b"] });
    for (const change of [{ title: "a" }, { content: "a", tags: ["a"] }]) await others.update(1, change);

    expect(await arrive()).toEqual([CANCELLED]);
    expect(await others.view(1)).toMatchObject({ title: "a", content: "a", tags: ["a"] });
  });

  it("and one that was throttled leave nothing on the post, and a view costs what it did", async () => {
    const table = await recordTable(endpoint);
    const posts = new PostsRepository(testClient(endpoint), table, () => noon);
    await posts.create(1, { title: "a", content: "a", status: "draft", tags: ["a"] }, undefined);
    const names = async () => Object.keys((await getItem(testClient(endpoint), table, recordKey(1))) ?? {});
    const stored = await names();
    const { before, after } = await throughBurst(endpoint, (client) => {
      const others = new PostsRepository(client, table, () => noon);
      return () => others.view(1);
    });
    expect([after, (await names()).sort()]).toEqual([before, stored.sort()]);
  });

  it("removes no view twice", async () => {
    const { posts, others, arrive } = await withPost((operation, attempt) => {
      if (operation === "GetItem" && attempt <= 3) return "timeout";
      return operation === "UpdateItem" && attempt === 2 ? "late" : undefined;
    });
    await expect(posts.view(1)).rejects.toMatchObject(unavailable);
    await others.view(1);

    expect(await arrive()).toEqual([CONDITION_FAILED]);
    expect(await others.view(1)).toMatchObject({ view_count: 2 });
  });
});
