import { randomUUID } from "node:crypto";
import { inject } from "vitest";
import { api } from "./target.ts";

/** Somebody who can log in. */
export interface Somebody {
  readonly username: string;
  readonly email: string;
  readonly password: string;
}

/** The data of an account that nobody has yet, wherever the specs are run. */
export function somebody(): Somebody {
  const name = `u_${randomUUID().replaceAll("-", "")}`;
  return { username: name, email: `${name}@example.com`, password: "Correct horse 1" };
}

/** Registers a new account of the role user and logs in. */
export async function withAccount(): Promise<Somebody & { readonly token: string }> {
  const account = somebody();
  const { status } = await api.post("/users/", account);
  if (status !== 201) throw new Error(`POST /users/ answered ${status}`);
  return { ...account, token: await logIn(account) };
}

/** The token of an administrator. */
export async function adminToken(): Promise<string> {
  const { admin } = inject("target");
  if (!admin) throw new Error("This target names no administrator, and the specs need one");
  return logIn(admin);
}

/** The request headers of somebody with a token. */
export function bearing(token: string): { readonly headers: { readonly authorization: string } } {
  return { headers: { authorization: `Bearer ${token}` } };
}

async function logIn({ username, password }: Pick<Somebody, "username" | "password">): Promise<string> {
  const { status, body } = await api.post("/auth/login", undefined, { query: { username, password } });
  if (status !== 200) throw new Error(`POST /auth/login answered ${status} for ${username}`);
  return body.access_token;
}
