import type { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { Todo } from "../validators/todo.ts";
import { Records } from "./records/records.ts";

export type TodosRepository = Records<Todo>;

/**
 * The todos.
 *
 * @param client from `documentClient`
 * @param table the table's name
 */
export function todosRepository(client: DynamoDBDocumentClient, table: string): TodosRepository {
  return new Records(client, table, Todo);
}
