import { describe, expect, it } from "vitest";
import { preconditionFailed } from "../../../../lib/domain/errors.ts";
import { PostsRepository } from "../../../../lib/repositories/posts/posts.ts";
import { engines, onDefaultEngine, recordTable, testClient } from "../../../support/database/database.ts";
import { injectFaults, type Plan } from "../../../support/database/faults.ts";
import { meter } from "../../../support/programs/usage.ts";

const post = { title: "A title", content: "Content", status: "draft", tags: ["a"] } as const;
const any = () => undefined;
const none = () => {
  throw preconditionFailed();
};
const refused = { code: "PreconditionFailed" };

describe.each(engines)("writes of posts with a precondition on $name", ({ endpoint }) => {
  async function withPost({
    plan,
    meanwhile,
  }: {
    plan?: Plan;
    meanwhile?: (other: PostsRepository) => Promise<unknown>;
  }) {
    const table = await recordTable(endpoint);
    const now = () => new Date("2026-03-01T12:00:00.000Z");
    const others = new PostsRepository(testClient(endpoint), table, now);
    await others.create(1, { ...post, tags: ["a"] }, undefined);
    const client = testClient(endpoint);
    injectFaults(client, async (operation, attempt, input) => {
      if (meanwhile && operation === "TransactWriteItems" && attempt === 1) await meanwhile(others);
      return plan?.(operation, attempt, input);
    });
    return { others, posts: new PostsRepository(client, table, now), cost: meter(client) };
  }

  it.each(onDefaultEngine(["conflict", "throttled", "timeout", "lost"]))(
    "take effect once if the first attempt is %s",
    async (fault) => {
      const plan: Plan = (operation, attempt) =>
        operation.startsWith("TransactWrite") && attempt % 2 === 1 ? fault : undefined;
      const { posts } = await withPost({ plan });
      expect(await posts.update(1, { title: "b" }, any)).toMatchObject({ title: "b", content: "Content" });
      expect(await posts.update(1, { content: "b" }, any)).toMatchObject({ title: "b", content: "b" });
      expect(await posts.remove(1, { precondition: any })).toBe(true);
    },
  );

  it("check the whole post before they change it", async () => {
    const { posts } = await withPost({});

    const changed = await posts.update(1, { content: "b", status: "published" }, (seen) =>
      expect(seen).toMatchObject(post),
    );
    expect(changed).toMatchObject({ ...post, content: "b", status: "published" });
    expect(await posts.view(1)).toEqual({ ...changed, view_count: 1 });
  });

  it("change nothing if the precondition fails or the record does not exist", async () => {
    const { posts } = await withPost({});

    await expect(posts.update(1, { title: "b" }, none)).rejects.toMatchObject(refused);
    await expect(posts.remove(1, { precondition: none })).rejects.toMatchObject(refused);
    await expect(posts.remove(1, { author: 1, precondition: none })).rejects.toMatchObject(refused);
    expect(await posts.remove(1, { author: 2, precondition: none })).toBe(false);
    expect(await posts.update(2, { title: "b" }, none)).toBeUndefined();
    expect(await posts.view(1)).toMatchObject(post);
  });

  it.each<[string, (others: PostsRepository) => Promise<unknown>]>([
    ["its title is changed", (others) => others.update(1, { title: "x" })],
    ["its content is changed", (others) => others.update(1, { content: "x" })],
    ["it is deleted", (others) => others.remove(1)],
  ])("fail if %s between the check and the write", async (_, meanwhile) => {
    const first = await withPost({ meanwhile });
    await expect(first.posts.update(1, { tags: [] }, any)).rejects.toMatchObject(refused);
    const second = await withPost({ meanwhile });
    await expect(second.posts.remove(1, { precondition: any })).rejects.toMatchObject(refused);
  });

  it("ignore views that are counted in between", async () => {
    const { posts, others } = await withPost({ meanwhile: (other) => other.view(1) });

    expect(await posts.update(1, { title: "b" }, any)).toMatchObject({ title: "b" });
    expect(await others.view(1)).toMatchObject({ title: "b", view_count: 2 });
  });

  it("read both items at the same time", async () => {
    const { posts, cost } = await withPost({});
    const usage = { calls: 3, inSequence: 2 };

    expect(await cost(() => posts.update(1, { title: "b" }, any))).toMatchObject(usage);
    expect(await cost(() => posts.remove(1, { precondition: any }))).toMatchObject(usage);
  });
});
