import type { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { Todo } from "../validators/todo.ts";
import { RecordRepository } from "./records/records.ts";

export type TodosRepository = RecordRepository<Todo>;

/**
 * The todos.
 *
 * @param client from `documentClient`
 * @param table the table's name
 */
export function todosRepository(client: DynamoDBDocumentClient, table: string): TodosRepository {
  return new RecordRepository(client, table, Todo);
}
