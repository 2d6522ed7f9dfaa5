import { afterAll, expect, it } from "vitest";
import { allRoutes } from "../../functions/definitions.ts";
import { runLocally } from "../../local/run.ts";
import { credentials, secretValues } from "../support/data/credentials.ts";
import { patientEnvironment, patientLimits } from "../support/programs/run.ts";

const denied: string[] = [];
const run = await runLocally({
  dataDirectory: "memory",
  secrets: secretValues,
  stageSettings: { access: "owner" },
  environment: patientEnvironment,
  limits: patientLimits,
  log: ({ source, text }) => {
    if (source === "iam") denied.push(text);
  },
});
afterAll(() => run.close());

async function send(method: string, path: string, body?: unknown, token?: string) {
  const response = await fetch(run.url + path, {
    method,
    headers: { ...(token && { authorization: `Bearer ${token}` }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, location: response.headers.get("location"), text };
}

const creations: readonly (readonly [string, unknown])[] = [
  ["/todos", { title: "Milk" }],
  ["/users", { name: "Ada", email: "a@b", age: 36 }],
  ["/items/", {}],
  ["/posts", { title: "Hello", content: "Words" }],
  ["/orders", [{ product_id: 1, quantity: 1 }]],
];

it("lets owners do with their records what the functions' roles allow, on the gateway", async () => {
  const { text } = await send("POST", "/auth/login", credentials.admin);
  const admin = JSON.parse(text).access_token;
  await send("POST", "/users/", { username: "ada", email: "ada@example.com", password: "Analytical1" });
  const login = await send("POST", "/auth/login", { username: "ada", password: "Analytical1" });
  const token = JSON.parse(login.text).access_token;
  for (const [path, body] of creations.filter(([each]) =>
    allRoutes.some(({ key }) => key === `POST ${each}`),
  )) {
    expect(await send("POST", path, body), path).toMatchObject({ status: 401 });
    const { location } = await send("POST", path, body, token);
    const list = path.replace(/\/$/, "");
    expect(await send("GET", list, undefined, token), path).toMatchObject({ status: 200 });
    expect(await send("GET", list, undefined, admin), path).toMatchObject({ status: 200 });
    expect(await send("GET", String(location), undefined, token), path).toMatchObject({ status: 200 });
    const deleted = await send("DELETE", String(location), undefined, token);
    expect(deleted.status, path).toBe(path === "/orders" ? 405 : 204);
  }
  const change = { password: "Analytical1", new_password: "Difference2" };
  const changed = await send("PUT", "/users/me/password", change, token);
  expect(changed.status).toBe(200);
  expect(await send("GET", "/users/me", undefined, token)).toMatchObject({ status: 401 });
  const { access_token } = JSON.parse(changed.text);
  const deletion = await send("POST", "/users/me/deletion", { password: "Difference2" }, access_token);
  expect(deletion.status).toBe(204);
  expect(await send("GET", "/users", undefined, access_token)).toMatchObject({ status: 401 });
  expect(denied).toEqual([]);
});
