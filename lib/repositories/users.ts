import type { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { User } from "../validators/user.ts";
import { RecordRepository } from "./records/records.ts";

export type UsersRepository = RecordRepository<User>;

/**
 * The user records. Accounts, which log in, are apart from them.
 *
 * @param client from `documentClient`
 * @param table the table's name
 */
export function usersRepository(client: DynamoDBDocumentClient, table: string): UsersRepository {
  return new RecordRepository(client, table, User);
}
