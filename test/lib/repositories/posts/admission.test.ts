import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { admissionOf } from "../../../../lib/dynamodb/admission.ts";
import type { PostFields } from "../../../../lib/repositories/posts/post-items.ts";
import { PostsRepository } from "../../../../lib/repositories/posts/posts.ts";
import { engines, testClient } from "../../../support/database/database.ts";
import { any } from "../../../support/database/fault-area.ts";
import { stackTable } from "../../../support/infra/stack-table.ts";
import { meter } from "../../../support/programs/usage.ts";

/** 200 KB in UTF-8. */
const content = "ä".repeat(100_000);
const largest: PostFields = { title: "t", content, status: "published", tags: [] };
const now = () => new Date();

beforeEach(() => {
  vi.stubEnv("MAX_READ_UNITS", "4000");
  vi.stubEnv("MAX_WRITE_UNITS", "1000");
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.useRealTimers();
});

describe.each(engines)("posts of owners on $name", ({ endpoint }) => {
  it("take the same read units as a missing one for others, who are never refused", async () => {
    const table = await stackTable(endpoint, "posts");
    const client = testClient(endpoint);
    const postsOf = (username: string) =>
      new PostsRepository(client, table, now, { username, seesAll: false });
    const { record } = await postsOf("ada").create(1, largest, undefined);
    const others = postsOf("bob");
    const usageOf = meter(client);
    const requests = {
      get: (id: number) => others.view(id),
      put: (id: number) => others.update(id, largest),
      patch: (id: number) => others.update(id, { title: "u" }),
      "conditional put": (id: number) => others.update(id, largest, any),
      delete: (id: number) => others.remove(id),
      "conditional delete": (id: number) => others.remove(id, { precondition: any }),
    };
    // Nobody else may read or write long texts.
    for (const kind of ["writes", `reads#content#${record.id}`] as const) {
      const admission = admissionOf(client, table, kind);
      await admission?.obtain(100_000);
      admission?.take(200_000);
    }
    const refused = { code: "TooManyRequests" };
    await expect(postsOf("ada").view(record.id)).rejects.toMatchObject(refused);
    await expect(postsOf("ada").update(record.id, largest)).rejects.toMatchObject(refused);
    for (const [name, request] of Object.entries(requests))
      for (let i = 0; i < 5; i += 1) {
        const usage = (id: number) => usageOf(async () => expect(await request(id)).toBeFalsy());
        const { calls, units } = await usage(record.id + 1);
        expect(await usage(record.id), name).toMatchObject({ calls, units });
      }
  });
});
