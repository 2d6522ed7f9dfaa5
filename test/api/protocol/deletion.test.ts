import { expect, it } from "vitest";
import { idOf } from "../../support/api/examples.ts";
import { api } from "../../support/api/target.ts";
import { hasMethod, recordSamples } from "../../support/data/record-samples.ts";

const deletable = Object.entries(recordSamples).filter(([kind]) => hasMethod(kind, ["DELETE"]));

it.each(deletable)("the deletion of %s succeeds once, and frees no id", async (_, create) => {
  const { created, path, changes, headers = {} } = await create();
  const responses = await Promise.all(Array.from({ length: 5 }, () => api.delete(path, { headers })));
  expect(responses.map(({ status }) => status).sort()).toEqual([204, 404, 404, 404, 404]);
  for (const [method, target, json] of [["GET", path] as const, ...changes])
    expect(await api.request(method, target, json, { headers })).toMatchObject({ status: 404 });
  expect(idOf((await create()).created)).toBeGreaterThan(idOf(created));
});
