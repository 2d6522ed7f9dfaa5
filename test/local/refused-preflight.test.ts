import { expect, it } from "vitest";
import { runInMemory } from "../support/programs/run.ts";

it("a page whose requests are refused is told of once, with the setting that allows them", async () => {
  const run = await runInMemory();
  const ask = (headers: Record<string, string>) => fetch(`${run.url}/todos`, { method: "OPTIONS", headers });
  const page = { origin: "http://localhost:5173" };
  await ask({
    ...page,
    "access-control-request-method": "PUT",
    "access-control-request-headers": "content-type",
  });
  expect(run.lines).toEqual([]);
  for (const name of ["authorization", "idempotency-key"])
    await ask({ ...page, "access-control-request-method": "POST", "access-control-request-headers": name });
  await run.close();

  expect(run.lines.map(({ text }) => text)).toEqual([
    "A page of http://localhost:5173 may not send authorization: " +
      "start with CORS_BROWSER_CLIENTS=1 to allow all of the API's.",
  ]);
});
