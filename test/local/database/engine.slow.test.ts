import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { callDynamodb, engineHeaders } from "../../../local/database/dynamodb-call.ts";
import { startEngine } from "../../../local/database/engine.ts";
import { type EngineProgram, findEngines } from "../../../local/database/engine-programs.ts";
import { untilClosed } from "../../support/programs/until-closed.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

const installed = findEngines().filter(({ incompatibility }) => incompatibility?.() === undefined);
const silent = () => undefined;

describe.each(installed.map((engine) => [engine.name, engine] as const))("%s", (_, engine) => {
  it("keeps its data in the directory, is out of reach for web pages, and ends when it is stopped", async () => {
    const directory = temporaryDirectory(onTestFinished);
    const table = {
      TableName: "kept",
      KeySchema: [{ AttributeName: "id", KeyType: "HASH" }],
      AttributeDefinitions: [{ AttributeName: "id", AttributeType: "S" }],
      BillingMode: "PAY_PER_REQUEST",
    };
    const first = await startEngine(engine, directory, silent);
    await callDynamodb(first, "CreateTable", table);
    await expectOutOfReach(engine, first.endpoint);
    await first.stop();
    await untilClosed(first.endpoint);
    const second = await startEngine(engine, directory, silent);
    expect(await callDynamodb(second, "ListTables", {})).toEqual({ TableNames: ["kept"] });
    await second.stop();
    for (const name of readdirSync(directory)) expect(statSync(join(directory, name)).mode & 0o077).toBe(0);
  });
});

async function expectOutOfReach({ canChooseHost }: EngineProgram, endpoint: string): Promise<void> {
  const { hostname } = new URL(endpoint);
  if (canChooseHost) {
    // A random address of 127.0.0.0/8: a page would have to try 10^11 addresses and ports.
    expect(hostname).toMatch(/^127\./);
    expect(hostname).not.toBe("127.0.0.1");
  } else {
    const headers = { ...engineHeaders("ListTables"), origin: "https://evil.example" };
    const response = await fetch(endpoint, { method: "POST", headers, body: "{}" });
    const allowed = response.headers.get("access-control-allow-origin");
    expect(["*", "https://evil.example"]).not.toContain(allowed);
  }
}
