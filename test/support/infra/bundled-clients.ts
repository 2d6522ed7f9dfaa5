import { existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import type { IncomingHttpHeaders } from "node:http";
import { dirname, join, resolve } from "node:path";
import { buffer } from "node:stream/consumers";
import { bundleFunctions } from "../../../infra/build/bundle.ts";
import { startLoopback } from "../../../local/loopback.ts";
import { runProgram } from "../programs/program.ts";

interface StubRequest {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface StubResponse {
  readonly type: string;
  readonly body: string | Uint8Array;
}

/** Bundles functions with this code, as a deployment does, in a project that has lib/ and these packages. */
export async function bundleCode(
  code: Readonly<Record<string, string>>,
  packages: readonly string[],
  project: string,
): Promise<void> {
  for (const [name, text] of Object.entries(code)) {
    mkdirSync(join(project, "functions", name), { recursive: true });
    writeFileSync(join(project, "functions", name, "index.ts"), text);
  }
  for (const name of packages) {
    const link = join(project, "node_modules", name);
    mkdirSync(dirname(link), { recursive: true });
    const candidates = ["node_modules", "test/tools/node_modules"].map((folder) => resolve(folder, name));
    symlinkSync(candidates.find(existsSync) ?? name, link);
  }
  symlinkSync(resolve("lib"), join(project, "lib"));
  writeFileSync(join(project, "package.json"), '{ "type": "module" }');
  await bundleFunctions(Object.keys(code), join(project, "bundles"), `${project}/`);
}

/** Runs a bundle against a stub of AWS. @returns what it printed, and the requests that the stub got */
export async function runBundle(name: string, project: string, { type, body }: StubResponse) {
  const requests: StubRequest[] = [];
  const server = await startLoopback(async (request, response) => {
    const { method, url, headers } = request;
    requests.push({ method, url, headers, body: (await buffer(request)).toString() });
    response.setHeader("content-type", type).end(body);
  });
  const credentials = { AWS_ACCESS_KEY_ID: "test", AWS_SECRET_ACCESS_KEY: "test" };
  const environment = { AWS_REGION: "us-east-1", AWS_ENDPOINT_URL: server.url, ...credentials };
  const file = join(project, "bundles", name, "index.mjs");
  const { output, errors } = await runProgram(file, [], { environment });
  await server.close();
  return { output: output.trim(), errors, requests };
}
