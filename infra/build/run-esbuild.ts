import { readFileSync } from "node:fs";
import {
  type BuildFailure,
  type BuildOptions,
  type BuildResult,
  build,
  type Metafile,
  type Plugin,
} from "esbuild";

/**
 * Modules that the service's own clients of the SDK do not need, but that tree shaking keeps: DynamoDB's schemas and
 * their protocol (lib/dynamodb/plain-json.ts), discovered endpoints, another SHA-256, the region of an EC2 instance,
 * event streams, endpoints of S3, and the adaptive retry mode.
 */
const unneeded = [
  "@aws-sdk/client-dynamodb/dist-es/schemas/schemas_0",
  "@aws-sdk/core/dist-es/submodules/protocols/json/AwsJson1_0Protocol",
  "@aws-sdk/dynamodb-codec/dist-es/codec-v2/DynamoDBJsonCodec2",
  "@aws-sdk/endpoint-cache/dist-es/EndpointCache",
  "@smithy/core/dist-es/submodules/checksum/sha256/Sha256Js",
  "@smithy/core/dist-es/submodules/config/config-resolver/regionConfig/getInstanceMetadataRegion",
  "@smithy/core/dist-es/submodules/event-streams/index",
  "@smithy/core/dist-es/submodules/endpoints/middleware-endpoint/service-customizations/s3",
  "@smithy/core/dist-es/submodules/retry/util-retry/AdaptiveRetryStrategy",
  "@smithy/signature-v4/dist-es/HeaderFormatter",
];

/** Replaces the modules by empty classes: making one has no effect, and calling one throws. */
const leaveOut: Plugin = {
  name: "leave out",
  setup: ({ onLoad }) =>
    onLoad({ filter: new RegExp(`/node_modules/(?:${unneeded.join("|")})\\.js$`) }, ({ path }) => {
      const names = exportedNames(readFileSync(path, "utf8"));
      if (names.length === 0) throw new Error(`${path} has no exports: correct the list of unneeded modules`);
      return { contents: `class Unneeded {}\nexport { ${names.map((name) => `Unneeded as ${name}`)} };` };
    }),
};

/** The parts of the SDK that do without these modules. DynamoDB's client does if lib/dynamodb/client.ts makes it. */
const served = ["@aws-sdk/client-dynamodb", "@aws-sdk/client-secrets-manager", "@smithy/core/retry"];
const otherClients = "other-dynamodb-clients";

/** Gives modules besides that file a class of their own: it is in the bundles that make other clients of DynamoDB. */
const markOtherClients: Plugin = {
  name: "mark other clients",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^@aws-sdk\/client-dynamodb$/ }, ({ importer, namespace, resolveDir }) =>
      namespace === otherClients || /[/\\]lib[/\\]dynamodb[/\\]client\.ts$/.test(importer)
        ? undefined
        : { path: "marked", namespace: otherClients, pluginData: resolveDir },
    );
    onLoad({ filter: /./, namespace: otherClients }, ({ pluginData: resolveDir }) => ({
      contents: `export * from "${served[0]}"; export class DynamoDBClient {} export class DynamoDB {}`,
      resolveDir,
    }));
  },
};

function exportedNames(source: string): string[] {
  const declared = source.matchAll(/^export (?:async )?(?:const|function|class|var) ([\w$]+)/gm);
  const listed = [...source.matchAll(/^export \{([^}]*)\}/gm)].flatMap(([, list = ""]) => list.split(","));
  return [
    ...[...declared].map(([, name = ""]) => name),
    ...listed.flatMap((each) => each.match(/\w+\s*$/) ?? []),
  ];
}

/** The clients of the SDK only need the version of their package, for the header `user-agent`. */
const onlyVersions: Plugin = {
  name: "only versions",
  setup: ({ onLoad }) =>
    onLoad({ filter: /\/node_modules\/@aws-sdk\/[^/]+\/package\.json$/ }, ({ path }) => {
      const { version } = JSON.parse(readFileSync(path, "utf8"));
      return { contents: JSON.stringify({ version }), loader: "json" };
    }),
};

/** What is left out and was in no bundle. The SDK has moved or dropped it. */
function unusedReplacements({ inputs }: Metafile): string[] {
  const files = Object.keys(inputs);
  if (!files.some((file) => file.includes("/@aws-sdk/client-dynamodb/"))) return [];
  return unneeded
    .filter((module) => !files.some((file) => file.endsWith(`node_modules/${module}.js`)))
    .map((module) => `${module} is in no bundle: correct the list in infra/build/run-esbuild.ts`);
}

export type MetafileOptions = BuildOptions & { metafile: true };
/** esbuild's `build`, or what does the same with what it keeps of the build before. */
export type Build = (options: MetafileOptions) => Promise<BuildResult<MetafileOptions>>;

/**
 * Runs esbuild with these plugins, and again without leaving modules out for the bundles that may need them.
 *
 * @throws Error with all compile errors and their locations in one line
 */
export async function runEsbuild(options: BuildOptions, runBuild: Build = build): Promise<Metafile> {
  const run = async (plugins: Plugin[], own: BuildOptions = {}) =>
    (await runBuild({ ...options, ...own, plugins, metafile: true }).catch(rethrowInOneLine)).metafile;
  const small = await run([leaveOut, onlyVersions, markOtherClients]);
  const unused = unusedReplacements(small);
  if (unused.length > 0) throw new Error(unused.join("; "));
  const entryPoints = Object.entries({ ...options.entryPoints } as Readonly<Record<string, string>>);
  const others = entryPoints.filter(([, entry]) => needsWholeSdk(small, entry));
  if (others.length === 0 && !needsWholeSdk(small, "<stdin>")) return small;
  const whole = await run([onlyVersions], { entryPoints: Object.fromEntries(others) });
  const outputs = { ...small.outputs, ...whole.outputs };
  return { inputs: { ...small.inputs, ...whole.inputs }, outputs };
}

/** Whether code besides the SDK's imports more of it than `served`, or makes a client of DynamoDB. */
function needsWholeSdk(metafile: Metafile, entry: string): boolean {
  const outputs = Object.values(metafile.outputs).filter(({ entryPoint }) => entryPoint === entry);
  if (outputs.some(({ inputs }) => inputs[`${otherClients}:marked`]?.bytesInOutput)) return true;
  return [...inputsOf(metafile, entry)]
    .filter((file) => !/node_modules\/@(aws-sdk|smithy)\//.test(file))
    .flatMap((file) => metafile.inputs[file]?.imports ?? [])
    .some(({ original = "" }) => /^@(aws-sdk|smithy)\//.test(original) && !served.includes(original));
}

/** The entry point and all that it imports, including modules that tree shaking removes. */
export function inputsOf({ inputs }: Metafile, entry: string): Set<string> {
  const files = new Set([entry]);
  for (const file of files)
    for (const { path, external } of inputs[file]?.imports ?? []) if (!external) files.add(path);
  return files;
}

function rethrowInOneLine(error: Partial<BuildFailure>): never {
  if (error.errors === undefined) throw error;
  const texts = error.errors.map(({ text, location }) =>
    location ? `${location.file}:${location.line}:${location.column + 1}: ${text}` : text,
  );
  throw new Error(texts.join("; "));
}
