import { UsersRepository } from "../../../lib/repositories/users.ts";
import { CreateUserRequest } from "../../../lib/validators/user.ts";
import { type LargestRecord, longText } from "../../support/database/largest-record.ts";

const texts = { name: longText(200), email: `${longText(319)}@` };
const user = CreateUserRequest.parse({ ...texts, age: Number.MAX_SAFE_INTEGER });

export const largest: LargestRecord = {
  kilobytes: 3,
  create: (client, table, idempotency) => new UsersRepository(client, table).create(user, idempotency),
};
