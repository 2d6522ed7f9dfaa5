import { PostQueries } from "../../../lib/repositories/posts/post-queries.ts";
import type { ReadBudgets } from "../../support/database/read-budgets.ts";

export const budgets: ReadBudgets = {
  dependencies: (client) => ({ postQueries: new PostQueries(client, "posts") }),
  advice: {
    "/posts?tag=x": "Request fewer",
    "/posts?sort_by=view_count": "Sort by created_at",
    "/posts/stats/summary": "too many posts",
  },
};
