import { PostsRepository } from "../../../lib/repositories/posts/posts.ts";
import type { CreationScenario } from "../../support/database/creation-scenario.ts";
import { recordTable } from "../../support/database/database.ts";

const post = { title: "A title", content: "Content", status: "draft" as const, tags: [] };
const now = () => new Date("2026-03-01T12:00:00.000Z");

export async function creation(endpoint: string): Promise<CreationScenario> {
  const table = await recordTable(endpoint);
  return {
    table,
    calls: [2, 3],
    create: (client, idempotency) => new PostsRepository(client, table, now).create(1, post, idempotency),
  };
}
