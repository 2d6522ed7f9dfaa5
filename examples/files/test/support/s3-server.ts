import { createRequire } from "node:module";
import { onTestFinished } from "vitest";
import { temporaryDirectory } from "./temporary-directory.ts";

/** Starts an S3 server until the test ends. @returns its bucket, as the setting `filesS3` names it */
export async function startS3(): Promise<string> {
  // It has no types.
  const S3rver = createRequire(import.meta.url)("@20minutes/s3rver");
  const server = new S3rver({
    port: 0,
    address: "127.0.0.1",
    silent: true,
    directory: temporaryDirectory(onTestFinished),
    configureBuckets: [{ name: "files", configs: [] }],
  });
  const { port } = await server.run();
  onTestFinished(() => server.close());
  return `http://S3RVER:S3RVER@127.0.0.1:${port}/files`;
}
