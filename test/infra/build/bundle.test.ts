import { cpSync, globSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { buildSync } from "esbuild";
import { afterAll, describe, expect, it } from "vitest";
import { buildOptions, bundleFunctions } from "../../../infra/build/bundle.ts";
import { runEsbuild } from "../../../infra/build/run-esbuild.ts";
import { startLoopback } from "../../../local/loopback.ts";
import { resourcesOf, stageTemplate } from "../../support/infra/templates.ts";
import { runProgram } from "../../support/programs/program.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

/** A cold start reads and compiles the bundle. */
const BUDGET_KILOBYTES = 270;
/** The most bytes of a package, or of an organization's, in a bundle. CONTRIBUTING.md says what to do if one has grown. */
const packageBudgets: Readonly<Record<string, number>> = {
  "@aws": 2_250,
  "@aws-sdk": 45_500,
  "@smithy": 102_000,
  "big.js": 7_000,
  jose: 18_900,
  zod: 36_500,
};
/** Functions that do not read one item or secret while they are initialized: their calls to AWS instead. */
const otherCallsAtInit: Readonly<Record<string, readonly string[]>> = {
  fallback: [],
  login: [],
  repair: [],
  system: ["DynamoDB_20120810.GetItem", "secretsmanager.GetSecretValue"],
};

/** What each function finds in its execution environment, by its name. */
const environments = new Map(
  resourcesOf(stageTemplate("dev"), "AWS::Lambda::Function").map(([, { Properties }]) => {
    const variables = Object.entries({ ...Properties.Environment?.Variables });
    const texts = variables.map(([name, value]) => [name, typeof value === "string" ? value : "reference"]);
    const environment: Readonly<Record<string, string>> = Object.fromEntries(texts);
    return [environment.SERVICE_NAME, environment];
  }),
);
const lambdaEnvironment = {
  AWS_LAMBDA_INITIALIZATION_TYPE: "on-demand",
  AWS_REGION: "us-east-1",
  AWS_ACCESS_KEY_ID: "test",
  AWS_SECRET_ACCESS_KEY: "test",
  LAMBDA_TASK_ROOT: tmpdir(),
};

const outdir = temporaryDirectory(afterAll);
const names = globSync("functions/*/index.ts").map((file) => basename(dirname(file)));
await bundleFunctions(names, outdir);

/** The packages in each bundle without other clients of AWS, with their bytes there. */
const { outputs } = await runEsbuild({
  ...buildOptions(names, join(outdir, "sizes"), `${process.cwd()}/`),
  write: false,
});
const packages = Object.values(outputs).flatMap(({ entryPoint, inputs }) => {
  if (entryPoint === undefined) return [];
  const shares = new Map<string, number>();
  for (const [file, { bytesInOutput }] of Object.entries(inputs)) {
    const [, name] = /.*\/?node_modules\/(@[^/]+|[^/]+)/.exec(file) ?? [];
    if (name) shares.set(name, (shares.get(name) ?? 0) + bytesInOutput);
  }
  // A module that is left out has only its names.
  const hasWholeSdk = Object.entries(inputs).some(
    ([file, { bytesInOutput }]) => file.endsWith("/AdaptiveRetryStrategy.js") && bytesInOutput > 100,
  );
  return hasWholeSdk ? [] : [{ name: entryPoint.split("/")[1] ?? "", shares }];
});

it.each(packages)("the bundle of $name is small: no JSON Schema, streams, HTTP/2 and fetch", ({ name }) => {
  const bundle = join(outdir, name, "index.mjs");
  expect(statSync(bundle).size).toBeLessThanOrEqual(BUDGET_KILOBYTES * 1024);
  expect(/json-schema\.org|Prelude checksum/.exec(readFileSync(bundle, "utf8"))?.[0]).toBeUndefined();
  expect(importsOf(bundle).filter((specifier) => /http2|undici/.test(specifier))).toEqual([]);
});

describe.each(names)("the bundle of %s", (name) => {
  const bundle = join(outdir, name, "index.mjs");
  const callsAtInit = otherCallsAtInit[name] ?? [
    expect.stringMatching(/^(DynamoDB_20120810\.GetItem|secretsmanager\.GetSecretValue)$/),
  ];

  it(`makes ${callsAtInit.length} calls to AWS while it is initialized`, async () => {
    const calls: unknown[] = [];
    const server = await startLoopback((request, response) => {
      calls.push(request.headers["x-amz-target"]);
      response.setHeader("content-type", "application/x-amz-json-1.0").end('{"SecretString":"secret"}');
    });
    const { code, output, errors } = await runProgram(bundle, [], {
      environment: { ...environments.get(name), ...lambdaEnvironment, AWS_ENDPOINT_URL: server.url },
    });
    await server.close();

    expect([code, output, errors]).toEqual([0, "", ""]);
    expect(calls.sort()).toEqual(callsAtInit);
  });

  it("has a source map with paths relative to the project, and imports only Node's built-in modules", () => {
    const { sources } = JSON.parse(readFileSync(`${bundle}.map`, "utf8")) as { sources: string[] };
    expect(sources).toContain(`functions/${name}/index.ts`);
    expect(sources.filter((source) => !/^(functions|lib|node_modules)\//.test(source))).toEqual([]);
    const imports = importsOf(bundle);
    expect(imports).toContain("node:crypto");
    expect(imports.filter((specifier) => !isBuiltin(specifier))).toEqual([]);
    // esbuild does not list imports with a computed specifier.
    expect(readFileSync(bundle, "utf8")).not.toMatch(/\bimport\s*\(\s*[^"'\s]/);
  });
});

it("bundles without other clients have at most the budget of each package, and no budget is more than 3 % too large", () => {
  const largest = new Map<string, number>();
  for (const [name, bytes] of packages.flatMap(({ shares }) => [...shares]))
    largest.set(name, Math.max(bytes, largest.get(name) ?? 0));

  for (const [name, bytes] of largest) {
    const budget = packageBudgets[name] ?? 0;
    expect(bytes, name).toBeLessThanOrEqual(budget);
    // Functions use more or less of zod.
    if (name !== "zod") expect(bytes, name).toBeGreaterThan(0.97 * budget);
  }
  expect([...largest.keys()]).toEqual(expect.arrayContaining(["@aws-sdk", "@smithy", "zod"]));
});

it("the build fails if a module that is left out is in no bundle, as when the SDK has moved it", async () => {
  const project = join(outdir, "project/");
  const sdk = join(project, "node_modules/@aws-sdk/client-dynamodb");
  mkdirSync(sdk, { recursive: true });
  mkdirSync(join(project, "functions/one"), { recursive: true });
  writeFileSync(join(sdk, "package.json"), '{ "main": "index.js" }');
  writeFileSync(join(sdk, "index.js"), "export class DynamoDBClient {}");
  const entry = join(project, "functions/one/index.ts");
  writeFileSync(entry, 'export { DynamoDBClient as handler } from "@aws-sdk/client-dynamodb";');

  await expect(bundleFunctions(["one"], join(project, "cdk.out"), project)).rejects.toThrow(
    /AdaptiveRetryStrategy is in no bundle: correct the list in infra\/build\/run-esbuild.ts/,
  );
});

/** The specifiers of a file's static and dynamic imports, re-exports and require calls, as esbuild reads them. */
function importsOf(file: string): string[] {
  const options = { bundle: true, platform: "node", format: "esm", packages: "external" } as const;
  const { metafile } = buildSync({ ...options, entryPoints: [file], metafile: true, write: false });
  return Object.values(metafile.inputs).flatMap(({ imports }) => imports.map(({ path }) => path));
}

it("logs stack traces with source paths and lines, wherever the bundle was copied", async () => {
  const directory = join(outdir, "copied", "to", "var", "task");
  mkdirSync(directory, { recursive: true });
  cpSync(join(outdir, "system"), directory, { recursive: true });
  const program = join(directory, "invoke.mjs");
  const requestContext = { domainName: "api.example.com", http: { method: "GET" }, requestId: "id" };
  const event = { rawPath: "/health/ready", rawQueryString: "", headers: {}, requestContext };
  const call = `handler(${JSON.stringify(event)}, { functionName: "system", awsRequestId: "id" })`;
  writeFileSync(program, `import { handler } from "./index.mjs";\nawait ${call};`);
  const { code, output, errors } = await runProgram(program);

  expect([code, `${output}${errors}`]).toEqual([
    0,
    expect.stringMatching(/\(lib\/settings\.ts:\d+:\d+\).* functions\/system\/index\.ts:\d+:\d+/),
  ]);
});
