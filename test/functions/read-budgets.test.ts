import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { expect, it } from "vitest";
import { routesByArea } from "../../functions/definitions.ts";
import { createHandler } from "../../lib/http/handler.ts";
import { invoke } from "../support/api/invoke.ts";
import { connection } from "../support/database/database.ts";
import type { ReadBudgets } from "../support/database/read-budgets.ts";
import { ofAreas } from "../support/of-areas.ts";

/** A table whose allocated ids can be read, and whose records take longer than any request has time. */
function slowDatabase(): DynamoDBDocumentClient {
  const client = DynamoDBDocumentClient.from(new DynamoDBClient(connection("http://127.0.0.1:1")));
  const send = client.send.bind(client);
  client.send = ((command: { input: object }, options?: { abortSignal?: AbortSignal }) => {
    if (JSON.stringify(command.input).includes('"ids"')) return Promise.resolve({ Items: [] });
    return new Promise((_, reject) => {
      options?.abortSignal?.addEventListener("abort", () => reject(new Error("aborted")));
    });
  }) as typeof send;
  return client;
}

/** Of areas that have long lists. */
const budgets = Object.entries(await ofAreas<ReadBudgets>("budgets"));

it("a request whose time is over is a 503 that says what to ask for instead", async () => {
  for (const [area, { dependencies, advice }] of budgets) {
    const create = () => () => dependencies(slowDatabase()) as never;
    const handler = createHandler(routesByArea[area] ?? [], create);
    for (const [target, text] of Object.entries(advice)) {
      const request = { method: "GET", target, headers: {} };
      const { status, headers, text: body } = await invoke(handler, request, "$default", 1_001);
      expect([status, headers.get("retry-after")], target).toEqual([503, null]);
      const { error, detail } = JSON.parse(body);
      expect(error ?? detail).toContain("too many records");
      expect(error ?? detail).toContain(text);
    }
  }
});
