import type { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";

/** Lists of an area that can take longer than a request has time. */
export interface ReadBudgets {
  /** What the area's handlers get for them. */
  dependencies(client: DynamoDBDocumentClient): object;
  /** By target: what the error says to ask for instead. */
  readonly advice: Readonly<Record<string, string>>;
}
