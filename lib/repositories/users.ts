import type { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { User } from "../validators/user.ts";
import { Records } from "./records/records.ts";

export type UsersRepository = Records<User>;

/**
 * The user records. Accounts, which log in, are apart from them.
 *
 * @param client from `documentClient`
 * @param table the table's name
 */
export function usersRepository(client: DynamoDBDocumentClient, table: string): UsersRepository {
  return new Records(client, table, User);
}
