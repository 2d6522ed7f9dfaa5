import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { callDynamodb } from "../../../local/database/dynamodb-call.ts";
import { startEngine } from "../../../local/database/engine.ts";
import { findEngines } from "../../../local/database/engine-programs.ts";
import { untilClosed } from "../../support/until-closed.ts";

const installed = findEngines(process.env.PATH ?? "").filter(
  ({ incompatibility }) => incompatibility?.() === undefined,
);
const silent = () => undefined;

describe.each(installed.map((engine) => [engine.name, engine] as const))("%s", (_, engine) => {
  it("keeps its data in the directory, and ends when it is stopped", async () => {
    const directory = mkdtempSync(join(tmpdir(), "engine-test-"));
    const table = {
      TableName: "kept",
      KeySchema: [{ AttributeName: "id", KeyType: "HASH" }],
      AttributeDefinitions: [{ AttributeName: "id", AttributeType: "S" }],
      BillingMode: "PAY_PER_REQUEST",
    };
    const first = await startEngine([engine], directory, silent);
    await callDynamodb(first.endpoint, "CreateTable", table);
    await first.stop();
    await untilClosed(first.endpoint);
    const second = await startEngine([engine], directory, silent);
    expect(await callDynamodb(second.endpoint, "ListTables", {})).toEqual({ TableNames: ["kept"] });
    await second.stop();
    rmSync(directory, { recursive: true });
  });
});
