import { hash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { inject } from "vitest";
import { SERVICE_NAME } from "../../../lib/construct-ids.ts";

/** The project's stages, prod with every setting (`configuredStage`), and the app of the local run's tests. */
export type AssemblyName = "dev" | "prod" | "configured" | "fixture";

export const PROXY_SECRET = "a proxy's secret";

/** A prod stage with a value for every setting that changes the template. */
export const configuredStage = {
  stage: "prod",
  origins: "https://www.example.com,https://shop.example.com",
  browserClients: "true",
  reservedUsernames: "sales,billing",
  lambdaConcurrency: "1000",
  domain: "api.example.com",
  certificateArn: "arn:aws:acm:eu-west-1:123456789012:certificate/12345678-1234-1234-1234-123456789012",
  hostedZone: "Z0123456789ABCDEFGHIJ",
  address: "https://www.example.com/api",
  trustedProxy: `secret:${hash("sha256", PROXY_SECRET)},address:true-client-ip`,
  provisionedConcurrency: "accounts:2,login:1",
  secrets: "SigningSecrets:arn:aws:secretsmanager:eu-west-1:123456789012:secret:SigningSecrets-1A2B3C",
  replicaRegion: "eu-central-1",
  tables: `accounts:${SERVICE_NAME}-prod-accounts-restored`,
  backups: "days:35,copyTo:arn:aws:backup:eu-central-1:123456789012:backup-vault:copies",
  tracing: "true",
  maxReadUnits: "20000",
  maxWriteUnits: "8000",
  monthlyBudget: "50",
  stopAtBudget: "true",
  alarmEmail: "ops@example.com",
  access: "specified",
  issuer: "url:https://login.example.com,audience:https://api.example.com,login:closed",
  availability: "accounts:99.95",
  latency: "accounts:2000",
  runbooks: "https://example.com/operations",
} as const;

declare module "vitest" {
  interface ProvidedContext {
    /** The directory with the cloud assembly of each `AssemblyName`; undefined in projects that have none. */
    assemblies: string | undefined;
  }
}

export function assemblyDirectory(name: AssemblyName): string {
  const directory = inject("assemblies");
  if (directory === undefined)
    throw new Error("Add this file to `stackTests` in test/vitest.config.ts: it reads the synthesized stack");
  return join(directory, name);
}

interface StackProperties {
  readonly templateFile: string;
  readonly terminationProtection?: boolean;
}

interface StackArtifact {
  readonly type: string;
  readonly properties: StackProperties;
  readonly additionalMetadataFile?: string;
}

function stackArtifact(name: AssemblyName): StackArtifact {
  const directory = assemblyDirectory(name);
  const { artifacts } = JSON.parse(readFileSync(join(directory, "manifest.json"), "utf8"));
  const all = Object.values<StackArtifact>(artifacts);
  const stack = all.find(({ type }) => type === "aws:cloudformation:stack");
  if (stack === undefined) throw new Error(`${directory} has no stack`);
  return stack;
}

/** What a stage's constructs acknowledge, by their paths, and the path of each resource by its logical id. */
export function acknowledgements(name: AssemblyName) {
  const file = join(assemblyDirectory(name), String(stackArtifact(name).additionalMetadataFile));
  const metadata = JSON.parse(readFileSync(file, "utf8")) as Record<string, { type: string; data: object }[]>;
  const all = Object.entries(metadata).flatMap(([path, entries]) =>
    entries.map((each) => ({ path, ...each })),
  );
  const rules = all.filter(({ type }) => type === "aws:cdk:acknowledged-rules");
  const ids = all.filter(({ type }) => type === "aws:cdk:logicalId");
  const paths = new Map(ids.map(({ path, data }) => [String(data), path]));
  return {
    rules: rules.flatMap(({ path, data }) =>
      Object.entries(data).map(([id, reason]) => ({ path, id, reason })),
    ),
    pathOf: (logicalId: string) => paths.get(logicalId) ?? "",
  };
}

export function stackProperties(name: AssemblyName): StackProperties {
  return stackArtifact(name).properties;
}

export function readTemplateFile(name: AssemblyName): object {
  return JSON.parse(readFileSync(join(assemblyDirectory(name), stackProperties(name).templateFile), "utf8"));
}

/** The module of an app that is already synthesized, which saves a local run from loading the CDK. */
export function synthesizedApp(name: AssemblyName): URL {
  return appOfAssembly(assemblyDirectory(name));
}

/** The module of an app whose synthesis returns a cloud assembly. */
export function appOfAssembly(directory: string): URL {
  const url = new URL("./synthesized-app.ts", import.meta.url);
  url.searchParams.set("directory", directory);
  return url;
}
