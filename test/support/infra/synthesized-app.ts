import { CloudAssembly } from "aws-cdk-lib/cx-api";

const directory = new URL(import.meta.url).searchParams.get("directory") ?? "";

/** An app whose synthesis returns the cloud assembly in the directory that this module's URL names. */
export function createApp() {
  return { synth: () => new CloudAssembly(directory) };
}
