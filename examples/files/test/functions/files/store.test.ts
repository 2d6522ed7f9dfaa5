import { expect, it } from "vitest";
import { FileStore } from "../../../functions/files/store.ts";
import { startS3 } from "../../support/s3-server.ts";

it("a link allows the upload of one type and size, and the download of that alone", async () => {
  const store = new FileStore(await startS3(), { region: "eu-west-1" });
  const file = {
    id: 1,
    name: "a planä.txt",
    type: "text/plain",
    size: 5,
    created_at: new Date().toISOString(),
  };
  const upload = await store.uploadUrl(file);
  const put = async (url: string, body: string, type = file.type) =>
    (await fetch(url, { method: "PUT", body, headers: { "content-type": type } })).status;

  expect(await store.read(file)).toBeUndefined();
  expect(await put(upload, "hello!")).toBe(403);
  expect(await put(upload, "hell")).toBe(403);
  expect(await put(upload, "hello", "text/html")).toBe(403);
  expect(await put(upload.replace("/1-", "/2-"), "hello")).toBe(403);
  expect(await put(upload, "hello")).toBe(200);

  const download = await store.downloadUrl(file);
  const response = await fetch(download);
  expect(await response.text()).toBe("hello");
  expect(response.headers.get("content-disposition")).toBe('attachment; filename="a plan_.txt"');
  expect(await put(download, "hello")).toBe(403);
  expect(await store.read(file)).toBe(btoa("hello"));
  await store.remove(file);
  expect((await fetch(download)).status).toBe(404);
  await store.remove(file);

  const old = { ...file, created_at: "2026-05-04T09:30:00.000Z" };
  expect(await put(await store.uploadUrl(old), "hello")).toBe(403);
});
