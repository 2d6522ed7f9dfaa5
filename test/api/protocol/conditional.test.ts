import { describe, expect, it } from "vitest";
import { api } from "../../support/api/target.ts";
import { countsViews, hasMethod, recordSamples } from "../../support/data/record-samples.ts";

const OTHER = '"another"';
const cases = Object.entries(recordSamples);
const withoutViews = cases.filter(([kind]) => !countsViews(kind));
const changeable = cases.filter(([kind]) => hasMethod(kind, ["PUT", "PATCH"]));
const deletable = cases.filter(([kind]) => hasMethod(kind, ["DELETE"]));

describe.each(cases)("the entity tag of %s", (kind, create) => {
  it("is the same in every response with the record", async () => {
    const { created, path, changes, headers = {} } = await create();
    const tags = [created.headers.get("etag"), (await api.get(path, { headers })).headers.get("etag")];
    for (const [method, target, json] of changes) {
      tags.push((await api.request(method, target, json, { headers })).headers.get("etag"));
      tags.push((await api.get(path, { headers })).headers.get("etag"));
    }
    const edits = tags.map((tag) => (countsViews(kind) ? tag?.replace(/\.\d+"$/, "") : tag));

    for (const tag of tags) expect(tag).toMatch(countsViews(kind) ? /^"[\w-]+\.\d+"$/ : /^"[\w-]+"$/);
    for (let i = 0; i < edits.length; i += 2) expect(edits[i]).toBe(edits[i + 1]);
    expect(new Set(edits).size).toBe(edits.length / 2);
  });

  it("is not checked if the record does not exist", async () => {
    const { path, changes, headers = {} } = await create();
    const unknown = path.replace(/\d+$/, "9007199254740991");

    expect(await api.get(unknown, { headers: { ...headers, "if-none-match": "*" } })).toMatchObject({
      status: 404,
    });
    const [change] = changes;
    const [method, target, json] = change && !hasMethod(kind, ["DELETE"]) ? change : ["DELETE", path];
    const response = await api.request(method, target.replace(path, unknown), json, {
      headers: { ...headers, "if-match": OTHER },
    });
    expect(response).toMatchObject({ status: 404 });
  });
});

describe.each(withoutViews)("If-None-Match on %s", (_, create) => {
  it("returns 304 if the client has the representation", async () => {
    const { created, path, headers = {} } = await create();
    const tag = created.headers.get("etag") ?? "";

    for (const header of [tag, `W/${tag}`, `${OTHER}, ${tag}`, "*", tag.replace(/"$/, '.gzip"')]) {
      const response = await api.get(path, { headers: { ...headers, "if-none-match": header } });
      expect(response).toMatchObject({ status: 304, text: "" });
      expect(response.headers.get("etag")).toBe(tag);
    }
    for (const header of [OTHER, tag.slice(1, -1), "", "nonsense"]) {
      expect(await api.get(path, { headers: { ...headers, "if-none-match": header } })).toMatchObject({
        status: 200,
      });
    }
  });
});

describe.each(changeable)("If-Match on %s", (_, create) => {
  it("allows a change only of the current record", async () => {
    const { path, changes, headers = {} } = await create();
    for (const [method, target, json] of changes) {
      const before = await api.get(path, { headers });
      const failed = await api.request(method, target, json, { headers: { ...headers, "if-match": OTHER } });
      expect(failed.status).toBe(412);
      expect((await api.get(path, { headers })).headers.get("etag")?.replace(/\.\d+"$/, '"')).toBe(
        before.headers.get("etag")?.replace(/\.\d+"$/, '"'),
      );

      const tag = before.headers.get("etag") ?? "";
      const current = { ...headers, "if-match": `${OTHER}, ${tag}` };
      const done = await api.request(method, target, json, { headers: current });
      expect(done.status).toBe(200);
      expect(done.headers.get("etag")).not.toBe(tag);
      expect(await api.request(method, target, json, { headers: current })).toMatchObject({ status: 412 });
    }
  });

  it("matches any record for * and none for a weak tag", async () => {
    const { path, changes, headers = {} } = await create();
    const tag = (await api.get(path, { headers })).headers.get("etag");
    for (const [method, target, json] of changes.slice(0, 1)) {
      const weak = { ...headers, "if-match": `W/${tag}` };
      const text = expect.stringContaining("leave out the W/");
      expect(await api.request(method, target, json, { headers: weak })).toMatchObject({ status: 412, text });
      const any = { ...headers, "if-match": "*" };
      expect(await api.request(method, target, json, { headers: any })).toMatchObject({ status: 200 });
    }
  });

  it("allows one of many concurrent changes", async () => {
    const { path, changes, headers = {} } = await create();
    const [method, target, json] = changes[0] ?? expect.unreachable();
    const tag = (await api.get(path, { headers })).headers.get("etag") ?? "";
    const responses = await Promise.all(
      Array.from({ length: 5 }, () =>
        api.request(method, target, json, { headers: { ...headers, "if-match": tag } }),
      ),
    );

    expect(responses.map(({ status }) => status).sort()).toEqual([200, 412, 412, 412, 412]);
  });
});

describe.each(deletable)("If-Match on the deletion of %s", (_, create) => {
  it("deletes only the current record", async () => {
    const { path, headers = {} } = await create();
    const tag = (await api.get(path, { headers })).headers.get("etag") ?? "";

    expect((await api.delete(path, { headers: { ...headers, "if-match": OTHER } })).status).toBe(412);
    expect(await api.get(path, { headers })).toMatchObject({ status: 200 });
    expect(await api.delete(path, { headers: { ...headers, "if-match": tag } })).toMatchObject({
      status: 204,
      body: undefined,
    });
    expect(await api.get(path, { headers })).toMatchObject({ status: 404 });
  });
});
