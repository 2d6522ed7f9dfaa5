import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import * as z from "zod/mini";
import type { Owner } from "../domain/ownership.ts";
import type { RecordOf, StoredSchema } from "../records/record-reader.ts";
import { RecordRepository } from "../records/record-repository.ts";
import type { User } from "../validators/user.ts";

/** A user as it is stored. A field that is added later needs a default: older users do not have it. */
export const StoredUser = z.object({
  name: z.string(),
  email: z.string(),
  age: z.int(),
}) satisfies StoredSchema<User>;

/** The user records. Accounts, which can log in, are stored apart from them. */
export class UsersRepository extends RecordRepository<RecordOf<typeof StoredUser>> {
  constructor(client: DynamoDBClient, table: string, owner?: Owner) {
    super(client, table, StoredUser, owner);
  }
}
