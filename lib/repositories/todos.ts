import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import * as z from "zod/mini";
import type { Owner } from "../domain/ownership.ts";
import type { RecordOf, StoredSchema } from "../records/record-reader.ts";
import { RecordRepository } from "../records/record-repository.ts";
import type { Todo } from "../validators/todo.ts";

/** A todo as it is stored. A field that is added later needs a default: older todos do not have it. */
export const StoredTodo = z.object({
  title: z.string(),
  completed: z._default(z.boolean(), false),
}) satisfies StoredSchema<Todo>;

export class TodosRepository extends RecordRepository<RecordOf<typeof StoredTodo>> {
  constructor(client: DynamoDBClient, table: string, owner?: Owner) {
    super(client, table, StoredTodo, owner);
  }
}
