import { randomUUID } from "node:crypto";
import { inject } from "vitest";
import { api } from "../api/target.ts";

/** An account with its password. */
export interface TestAccount {
  readonly username: string;
  readonly email: string;
  readonly password: string;
}

/** An account that is not registered yet on any target. */
export function newAccount(): TestAccount {
  const name = `u_${randomUUID().replaceAll("-", "")}`;
  return { username: name, email: `${name}@example.com`, password: "Correct horse 1" };
}

/** Registers a new account of the role user and logs in. */
export async function withAccount(): Promise<TestAccount & { readonly token: string }> {
  const account = newAccount();
  const { status } = await api.post("/users/", account);
  if (status !== 201) throw new Error(`POST /users/ returned ${status}`);
  return { ...account, token: await logIn(account) };
}

/** Fails to log in until further logins must wait for so long that a busy machine sends them in time. */
export async function failUntilThrottled({
  username,
  password,
}: Pick<TestAccount, "username" | "password">): Promise<void> {
  for (let seconds = 0; seconds < 15; ) {
    const attempts = await Promise.all(
      Array.from({ length: 20 }, () => api.post("/auth/login", { username, password })),
    );
    for (const { status } of attempts)
      if (![401, 429].includes(status)) throw new Error(`A failed login returned ${status}`);
    seconds = Math.max(...attempts.map(({ headers }) => Number(headers.get("retry-after"))));
  }
}

/** The token of an administrator. */
export async function adminToken(): Promise<string> {
  const { admin } = inject("target");
  if (!admin) throw new Error("The specs need an administrator; set ADMIN_PASSWORD");
  return logIn(admin);
}

/** Request options with a bearer token. */
export function withToken(token: string): { readonly headers: { readonly authorization: string } } {
  return { headers: { authorization: `Bearer ${token}` } };
}

async function logIn({ username, password }: Pick<TestAccount, "username" | "password">): Promise<string> {
  const { status, body } = await api.post("/auth/login", undefined, { query: { username, password } });
  if (status !== 200) throw new Error(`POST /auth/login returned ${status} for ${username}`);
  return body.access_token;
}
