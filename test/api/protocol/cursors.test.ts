import { describe, expect, it } from "vitest";
import { allRoutes } from "../../../functions/definitions.ts";
import { withListsAsObjects } from "../../../infra/openapi/list-objects.ts";
import type { Response } from "../../../infra/openapi/model.ts";
import { createRouter } from "../../../lib/http/router.ts";
import { followLinks } from "../../support/api/links.ts";
import { type CursorList, protocols } from "../../support/api/protocol.ts";
import { api } from "../../support/api/target.ts";
import { asAdmin, withAccount } from "../../support/data/accounts.ts";
import { document, validatorOf } from "../../support/infra/openapi.ts";

const lists: Readonly<Record<string, () => Promise<CursorList>>> = Object.assign(
  {},
  ...Object.values(protocols).map((area) => area.lists),
);

const objects = withListsAsObjects(document);
const findRoute = createRouter(allRoutes);

/** The records of a list whose body is an array of them. */
const wholeBody = (body: never) => body as { id: number }[];
const withQuery = (target: string, query: string) => `${target}${target.includes("?") ? "&" : "?"}${query}`;
const cursorOf = (text: string) => Buffer.from(text).toString("base64url");

describe.each(Object.entries(lists))("the list of %s", (_, prepare) => {
  it("is complete across its parts, each record once", async () => {
    const { target, create, headers = {}, recordsOf = wholeBody } = await prepare();
    const created: number[] = [];
    for (let i = 0; i < 5; i += 1) created.push((await create()).id);
    const first = withQuery(target, `limit=2&cursor=${cursorOf(`after ${(created[0] ?? 0) - 1}`)}`);
    const get = (next: string) => api.get(next, { headers });
    const idsOf = (body: never) => recordsOf(body).map(({ id }) => id);
    const { records, responses } = await followLinks(get, first, idsOf);

    expect(responses).toBeGreaterThanOrEqual(records.length / 2);
    expect(records).toEqual([...records].sort((a, b) => a - b));
    expect(records).toEqual(expect.arrayContaining(created));
    expect(new Set(records).size).toBe(records.length);
  });

  it("is read from bodies alone with lists=objects", async () => {
    const { target, create, headers = {}, recordsOf = wholeBody } = await prepare();
    const { route } = findRoute("GET", target.replace(/\?.*/, ""));
    const success = objects.paths[route?.pattern ?? ""]?.get?.responses[200] as Response;
    const validator = validatorOf(success.content?.["application/json"]?.schema ?? {}, objects);
    const created = [await create(), await create(), await create()].map(({ id }) => id);
    const read = async (part: Readonly<Record<string, string>>) => {
      const query = new URLSearchParams({ ...part, lists: "objects" });
      const { body } = await api.get(withQuery(target, `${query}`), { headers });
      expect(validator.safeParse(body).error).toBeUndefined();
      const { next, items, ...others } = body;
      return { next, ids: recordsOf((items ?? others) as never).map(({ id }) => id) };
    };
    const ids: number[] = [];
    let part = await read({ limit: "2" });
    for (; part.next !== undefined; part = await read(part.next)) ids.push(...part.ids);
    ids.push(...part.ids);

    expect(ids).toEqual(expect.arrayContaining(created));
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("rejects invalid cursors", async () => {
    const { target, headers = {} } = await prepare();
    const expected = target.startsWith("/users")
      ? { status: 400, body: { error: expect.stringContaining("cursor") } }
      : { status: 422, body: { details: [{ field: "query.cursor", type: "invalid_format" }] } };
    for (const cursor of ["", "5", "YWZ0ZXIgLTE", "YWZ0ZXIgMQ==", "%00", "__proto__"]) {
      const sent = withQuery(target, `cursor=${encodeURIComponent(cursor)}`);
      expect(await api.get(sent, { headers })).toMatchObject(expected);
    }
  });

  it("is complete without a cursor, in id order", async () => {
    const { target, create, headers = {}, recordsOf = wholeBody } = await prepare();
    const created = [await create(), await create()];
    const { status, body, headers: received } = await api.get(target, { headers });
    const ids = recordsOf(body as never).map(({ id }) => id);

    expect([status, received.get("link")]).toEqual([200, null]);
    expect(ids).toEqual([...ids].sort((a, b) => a - b));
    // An index can be a moment behind a write.
    await expect
      .poll(async () => recordsOf((await api.get(target, { headers })).body as never))
      .toEqual(expect.arrayContaining(created));
  });
});

it("the list of accounts has cursors by username", async () => {
  const { username } = await withAccount();
  const list = async (query: string) => api.get(`/admin/users?${query}`, await asAdmin());
  const before = cursorOf(`username ${username.slice(0, -1)}`);

  expect((await list(`limit=1&cursor=${before}`)).body).toMatchObject([{ username }]);
  const { body } = await list(`cursor=${cursorOf(`username ${username}`)}`);
  expect(body.every((other: { username: string }) => other.username > username)).toBe(true);
  for (const query of ["limit=1", "limit=1000"]) expect((await list(query)).status).toBe(200);
  for (const query of ["cursor=x", "limit=0", "limit=1001"]) expect((await list(query)).status).toBe(422);
});

const resumable = Object.values(protocols).flatMap((area) => area.resumable ?? []);
it.each(resumable)("%s can continue at any position", async (list) => {
  for (const id of [0, 1, 2, Number.MAX_SAFE_INTEGER - 1])
    expect((await api.get(`${list}limit=1&cursor=${cursorOf(`after ${id}`)}`)).status).toBe(200);
});
