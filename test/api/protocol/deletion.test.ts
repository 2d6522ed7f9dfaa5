import { describe, expect, it } from "vitest";
import { idOf } from "../../support/api/examples.ts";
import { api } from "../../support/api/target.ts";
import { hasMethod, recordSamples } from "../../support/data/record-samples.ts";

const deletable = Object.entries(recordSamples).filter(([kind]) => hasMethod(kind, ["DELETE"]));

describe.each(deletable)("the deletion of %s", (_, create) => {
  it("succeeds once if sent concurrently; then every request for the record is a 404", async () => {
    const { path, changes, headers = {} } = await create();
    const responses = await Promise.all(Array.from({ length: 5 }, () => api.delete(path, { headers })));
    expect(responses.map(({ status }) => status).sort()).toEqual([204, 404, 404, 404, 404]);
    for (const [method, target, json] of [["GET", path] as const, ...changes])
      expect(await api.request(method, target, json, { headers })).toMatchObject({ status: 404 });
  });

  it("does not free its id: those of later records are higher", async () => {
    const { created, path, headers = {} } = await create();
    await api.delete(path, { headers });
    expect(idOf((await create()).created)).toBeGreaterThan(idOf(created));
  });
});
