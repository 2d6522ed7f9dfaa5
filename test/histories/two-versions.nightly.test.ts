import { expect, it } from "vitest";
import { startEngine } from "../../local/database/engine.ts";
import { chooseEngine } from "../../local/database/engine-programs.ts";
import type { Send } from "../support/api/client.ts";
import type { ApiResponse } from "../support/api/conformance.ts";
import { inProcess } from "../support/api/in-process.ts";
import { prepareInProcess } from "../support/api/in-process-target.ts";
import { faultyEngine } from "../support/database/faulty-engine.ts";
import { synthesizedApp } from "../support/infra/assembly.ts";
import { random } from "../support/random.ts";
import { loadRelease } from "../support/release.ts";
import { ServiceClient } from "./client.ts";
import { playHistory } from "./run-history.ts";

const { TEST_SEED: seed = String(Date.now() % 1e9), TEST_REQUESTS: requests = "1000" } = process.env;

it(`this version and the last release keep all promises on one database (TEST_SEED=${seed})`, async () => {
  await using cleanup = new AsyncDisposableStack();
  // The shared engine has tables of the same names.
  const engine = cleanup.adopt(await startEngine(chooseEngine(), undefined, () => undefined), (it) =>
    it.stop(),
  );
  const proxy = cleanup.adopt(await faultyEngine(engine.endpoint), (it) => it.close());
  const app = synthesizedApp("dev");
  const stack = cleanup.adopt(
    await prepareInProcess(engine.endpoint, { database: proxy.url, withCatalog: false, app }),
    (it) => it.close(),
  );
  const before = inProcess(await loadRelease(stack.target.environment));
  const today = inProcess(stack.target);

  // The release alone, then both during a deployment, then the release again.
  const { next } = random(Number(seed), -2);
  const each = Number(requests) / 4;
  const sent = { before: 0, today: 0 };
  const send: Send = async (request) => {
    const done = sent.before + sent.today;
    const version = done >= each && done < 3 * each && next() < 0.5 ? "today" : "before";
    sent[version] += 1;
    return (version === "today" ? today : before)(request);
  };
  // Responses of the release may lack later fields.
  const check = (method: string, path: string, { status, text }: ApiResponse) => {
    if (status === 500) throw new Error(`${method} ${path} returned ${text}`);
  };
  const readers = [new ServiceClient(before, check), new ServiceClient(today)];
  const service = { client: new ServiceClient(send, check), proxy, engine, tables: stack.tables, readers };
  const options = { seed: Number(seed), requests: Number(requests), clients: 30 };
  const { violations, ...result } = await playHistory(service, options);

  process.stdout.write(`${JSON.stringify({ ...result, sent })}\n`);
  expect(violations).toEqual([]);
  expect(readers.flatMap((reader) => reader.violations)).toEqual([]);
  expect(sent.today).toBeGreaterThan(each / 2);
});
