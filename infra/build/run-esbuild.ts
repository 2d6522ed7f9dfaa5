import { readFileSync } from "node:fs";
import { type BuildFailure, type BuildOptions, build, type Metafile, type Plugin } from "esbuild";

/**
 * Modules of the SDK that no request needs, but that tree shaking keeps: DynamoDB's schemas and their protocol
 * (lib/dynamodb/plain-json.ts), discovered endpoints, another SHA-256, the region of an EC2 instance, event
 * streams, endpoints of S3, and the adaptive retry mode.
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

/** Runs esbuild with these plugins. @throws Error with all compile errors and their locations in one line */
export async function runEsbuild(options: BuildOptions): Promise<Metafile> {
  const plugins = [leaveOut, onlyVersions];
  const { metafile } = await build({ ...options, plugins, metafile: true }).catch(rethrowInOneLine);
  const unused = unusedReplacements(metafile);
  if (unused.length > 0) throw new Error(unused.join("; "));
  return metafile;
}

function rethrowInOneLine(error: Partial<BuildFailure>): never {
  if (error.errors === undefined) throw error;
  const texts = error.errors.map(({ text, location }) =>
    location ? `${location.file}:${location.line}:${location.column + 1}: ${text}` : text,
  );
  throw new Error(texts.join("; "));
}
