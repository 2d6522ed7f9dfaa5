import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";

/** What reads or writes one table. */
export class TableAccess {
  protected readonly client: DynamoDBClient;
  readonly table: string;

  constructor(client: DynamoDBClient, table: string) {
    this.client = client;
    this.table = table;
  }
}
