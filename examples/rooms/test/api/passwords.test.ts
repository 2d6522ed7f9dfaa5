import { existsSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, inject, it, vi } from "vitest";
import { api } from "../support/api/target.ts";
import { withAccount, withToken } from "../support/data/accounts.ts";

const target = inject("target");
const hasMails = target.kind === "http" && new URL(target.url).hostname === "127.0.0.1";

/** The token in the mail, which a local run writes to a folder; elsewhere none that the specs could read. */
async function mailedToken(purpose: string, username: string): Promise<string> {
  const file = join(tmpdir(), "mails", `${purpose}-${username}.eml`);
  if (!hasMails) return "none";
  await vi.waitUntil(() => existsSync(file), { timeout: 60_000 });
  return /15 minutes: (\S+)/.exec(readFileSync(file, "utf8"))?.[1] ?? "";
}

it("responds to a forgotten password the same for any username", async () => {
  const { username } = await withAccount();
  const responses = [];
  for (const each of [username, "nobody", "not a username", username, username, username])
    responses.push(await api.post("/password-resets", { username: each }));
  for (const { status, text } of responses) expect([status, text]).toEqual([204, ""]);
});

it("replaces a forgotten password once, with a mailed token", async () => {
  const { username, token: login } = await withAccount();
  await api.post("/password-resets", { username });
  const token = await mailedToken("reset", username);
  const reset = async () =>
    (await api.post("/password-resets/completion", { token, password: "Difference2" })).status;

  expect([await reset(), await reset()]).toEqual([hasMails ? 204 : 400, 400]);
  expect((await api.get("/users/me", withToken(login))).status).toBe(hasMails ? 401 : 200);
  const { status } = await api.post("/auth/login", { username, password: "Difference2" });
  expect(status).toBe(hasMails ? 200 : 401);
});

it("confirms the address of an account, with a mailed token", async () => {
  const { username, email, token: login } = await withAccount();
  const me = async () => (await api.get("/confirmations/me", withToken(login))).body;
  expect(await me()).toEqual({ email, confirmed: false });
  expect((await api.post("/confirmations", undefined, withToken(login))).status).toBe(204);
  const token = await mailedToken("confirmation", username);
  const confirm = async () => (await api.post("/confirmations/completion", { token })).status;

  expect([await confirm(), await confirm()]).toEqual([hasMails ? 204 : 400, 400]);
  expect(await me()).toEqual({ email, confirmed: hasMails });
});

it("needs the token of an account for a confirmation", async () => {
  expect(await api.post("/confirmations")).toMatchObject({ status: 401 });
  expect(await api.get("/confirmations/me")).toMatchObject({ status: 401 });
});

it.each(["short1A", "no digit or Capital", "12345678"])("rejects the password %j", async (password) => {
  const response = await api.post("/password-resets/completion", { token: "any", password });
  expect(response).toMatchObject({ status: 422 });
});
