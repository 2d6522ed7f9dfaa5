import type { NewAccount } from "../../../../lib/repositories/accounts/accounts.ts";

export function newAccount(username: string, changes: Partial<NewAccount> = {}): NewAccount {
  const email = `${username}@example.com`;
  return { username, email, passwordHash: "hash", age: null, website: null, ...changes };
}
