import { describe, expect, it } from "vitest";
import type { RecordSample } from "../../support/api/protocol.ts";
import { api } from "../../support/api/target.ts";
import { countsViews, hasMethod, recordSamples } from "../../support/data/record-samples.ts";
import { UNKNOWN_ID } from "../../support/data/values.ts";

const OTHER = '"another"';
const cases = Object.entries(recordSamples);
const withoutViews = cases.filter(([kind]) => !countsViews(kind));
const changeable = cases.filter(([kind]) => hasMethod(kind, ["PUT", "PATCH"]));
const deletable = cases.filter(([kind]) => hasMethod(kind, ["DELETE"]));

/** A new record, and its requests with headers of their own. */
async function sampleOf(create: () => Promise<RecordSample>) {
  const { created, path, changes, headers = {} } = await create();
  const send = (method: string, target: string, json?: unknown, own = {}) =>
    api.request(method, target, json, { headers: { ...headers, ...own } });
  const get = (own = {}) => send("GET", path, undefined, own);
  const remove = (own = {}) => send("DELETE", path, undefined, own);
  const tag = async () => (await get()).headers.get("etag") ?? "";
  return { created, path, changes, send, get, remove, tag };
}

describe.each(cases)("the entity tag of %s", (kind, create) => {
  it("is the same in every response with the record", async () => {
    const { created, changes, send, tag } = await sampleOf(create);
    const tags = [created.headers.get("etag"), await tag()];
    for (const change of changes) tags.push((await send(...change)).headers.get("etag"), await tag());
    const edits = tags.map((each) => (countsViews(kind) ? each?.replace(/\.\d+"$/, "") : each));

    for (const each of tags) expect(each).toMatch(countsViews(kind) ? /^"[\w-]+\.\d+"$/ : /^"[\w-]+"$/);
    for (let i = 0; i < edits.length; i += 2) expect(edits[i]).toBe(edits[i + 1]);
    expect(new Set(edits).size).toBe(edits.length / 2);
  });

  it("is not checked if the record does not exist", async () => {
    const { path, changes, send } = await sampleOf(create);
    const unknown = path.replace(/\d+$/, String(UNKNOWN_ID));
    const [change] = changes;
    const [method, target, json] = change && !hasMethod(kind, ["DELETE"]) ? change : ["DELETE", path];
    for (const response of [
      await send("GET", unknown, undefined, { "if-none-match": "*" }),
      await send(method, target.replace(path, unknown), json, { "if-match": OTHER }),
    ])
      expect(response.status).toBe(404);
  });
});

it.each(withoutViews)("If-None-Match on %s is a 304 if the client has the record", async (_, create) => {
  const { created, get } = await sampleOf(create);
  const tag = created.headers.get("etag") ?? "";

  for (const header of [tag, `W/${tag}`, `${OTHER}, ${tag}`, "*", tag.replace(/"$/, '.gzip"')]) {
    const response = await get({ "if-none-match": header });
    expect(response).toMatchObject({ status: 304, text: "" });
    expect(response.headers.get("etag")).toBe(tag);
  }
  for (const header of [OTHER, tag.slice(1, -1), "", "nonsense"])
    expect(await get({ "if-none-match": header })).toMatchObject({ status: 200 });
});

// test/lib/http/etag.test.ts has the other values of If-Match.
describe.each(changeable)("If-Match on %s", (_, create) => {
  it("allows a change only of the current record", async () => {
    const { changes, send, tag } = await sampleOf(create);
    for (const [method, target, json] of changes) {
      const before = await tag();
      expect((await send(method, target, json, { "if-match": OTHER })).status).toBe(412);
      const current = await tag();
      expect(current.replace(/\.\d+"$/, '"')).toBe(before.replace(/\.\d+"$/, '"'));

      const headers = { "if-match": `${OTHER}, ${current}` };
      const done = await send(method, target, json, headers);
      expect(done.status).toBe(200);
      expect(done.headers.get("etag")).not.toBe(current);
      expect(await send(method, target, json, headers)).toMatchObject({ status: 412 });
    }
  });

  it("allows one of many concurrent changes", async () => {
    const { changes, send, tag } = await sampleOf(create);
    const [method, target, json] = changes[0] ?? expect.unreachable();
    const headers = { "if-match": await tag() };
    const responses = await Promise.all(Array.from({ length: 5 }, () => send(method, target, json, headers)));

    expect(responses.map(({ status }) => status).sort()).toEqual([200, 412, 412, 412, 412]);
  });
});

it.each(deletable)("If-Match on the deletion of %s deletes only the current record", async (_, create) => {
  const { get, remove, tag } = await sampleOf(create);

  expect((await remove({ "if-match": OTHER })).status).toBe(412);
  expect(await get()).toMatchObject({ status: 200 });
  expect(await remove({ "if-match": await tag() })).toMatchObject({ status: 204, body: undefined });
  expect(await get()).toMatchObject({ status: 404 });
});
