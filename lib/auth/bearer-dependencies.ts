import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { AccountsRepository } from "../repositories/accounts/accounts.ts";
import { tableName } from "../settings.ts";
import { secret } from "./secrets.ts";
import { Tokens } from "./tokens.ts";

/** What verifies tokens and reads their accounts, in a function that may do both. */
export function bearerDependencies(client: DynamoDBClient) {
  const tokens = new Tokens({ secrets: secret("SIGNING_SECRETS"), now: () => new Date() });
  return { tokens, accounts: new AccountsRepository(client, tableName("accounts")) };
}
