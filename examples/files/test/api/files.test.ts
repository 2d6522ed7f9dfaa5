import { expect, it } from "vitest";
import { api } from "../support/api/target.ts";
import { withAccount, withToken } from "../support/data/accounts.ts";

const plan = { name: "plan.pdf", type: "application/pdf", size: 48_213 };
const caller = async () => withToken((await withAccount()).token);

it("shows files, and links to their content, to their owner alone", async () => {
  const [ada, bob] = [await caller(), await caller()];
  const { status, body } = await api.post("/files", plan, ada);
  const { upload_url, ...file } = body;
  expect(status).toBe(201);
  expect(file).toEqual({ id: file.id, ...plan, created_at: expect.any(String) });
  const { searchParams } = new URL(upload_url);
  expect(searchParams.get("X-Amz-SignedHeaders")).toBe("content-length;content-type;host");
  expect(searchParams.get("X-Amz-Expires")).toBe("60");

  const path = `/files/${file.id}`;
  expect((await api.get("/files", ada)).body).toEqual([file]);
  expect((await api.get(path, ada)).body).toEqual(file);
  const { download_url } = (await api.get(`${path}/content`, ada)).body;
  expect(new URL(download_url).pathname).toBe(new URL(upload_url).pathname);
  expect((await api.get("/files", bob)).body).toEqual([]);
  for (const target of [path, `${path}/content`])
    expect(await api.get(target, bob)).toMatchObject({ status: 404 });
  expect(await api.delete(path, bob)).toMatchObject({ status: 404 });
  expect((await api.delete(path, ada)).status).toBe(204);
  expect(await api.get(`${path}/content`, ada)).toMatchObject({ status: 404 });
});

it("returns the same link if the creation is repeated", async () => {
  const { headers } = await caller();
  const again = { headers: { ...headers, "idempotency-key": crypto.randomUUID() } };
  const [first, second] = [await api.post("/files", plan, again), await api.post("/files", plan, again)];
  expect(second.body).toEqual(first.body);
});

it.each([{ size: 5_000_001 }, { size: 0 }, { type: "pdf" }, { type: "text/html\r\nx: y" }, { name: "" }])(
  "rejects %j",
  async (change) => {
    expect(await api.post("/files", { ...plan, ...change }, await caller())).toMatchObject({ status: 422 });
  },
);
