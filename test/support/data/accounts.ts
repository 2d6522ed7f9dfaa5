import { randomUUID } from "node:crypto";
import { inject } from "vitest";
import type { ApiResponse } from "../api/conformance.ts";
import { api } from "../api/target.ts";

export interface TestAccount {
  readonly username: string;
  readonly email: string;
  readonly password: string;
}

export function newAccount(): TestAccount {
  const name = `u_${randomUUID().replaceAll("-", "")}`;
  return { username: name, email: `${name}@example.com`, password: "Correct horse 1" };
}

export async function withAccount(): Promise<TestAccount & { readonly token: string }> {
  const account = newAccount();
  const { status } = await api.post("/users/", account);
  if (status !== 201) throw new Error(`POST /users/ returned ${status}`);
  return { ...account, token: await logIn(account) };
}

type Login = Pick<TestAccount, "username" | "password">;

/** Fails to log in until the next attempt has to wait. @returns its response */
export async function logInWhenThrottled({ username }: TestAccount): Promise<ApiResponse> {
  for (;;) {
    const response = await api.post("/auth/login", { username, password: "Wrong horse 1" });
    if (response.status !== 401) return response;
  }
}

export async function adminToken(): Promise<string> {
  const { admin } = inject("target");
  if (!admin) throw new Error("The specs need an administrator; set ADMIN_PASSWORD");
  return logIn(admin);
}

let token: Promise<string> | undefined;

/** Request options of an administrator, who logs in once per test file. */
export async function asAdmin() {
  token ??= adminToken();
  return withToken(await token);
}

export function withToken(token: string): { readonly headers: { readonly authorization: string } } {
  return { headers: { authorization: `Bearer ${token}` } };
}

async function logIn({ username, password }: Login): Promise<string> {
  const { status, body } = await api.post("/auth/login", undefined, { query: { username, password } });
  if (status !== 200) throw new Error(`POST /auth/login returned ${status} for ${username}`);
  return body.access_token;
}
