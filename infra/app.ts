import { join } from "node:path";
import { App, Stack, Tags } from "aws-cdk-lib";
import { functions } from "./functions.ts";
import { gateway } from "./gateway.ts";
import { alarms } from "./monitoring/alarms.ts";
import { dashboard } from "./monitoring/dashboard.ts";
import { metricsOfLogs } from "./monitoring/log-metrics.ts";
import { secrets } from "./secrets.ts";
import { SettingError, type StageSettings, settingNames, stageOf } from "./stages.ts";
import { tables } from "./tables.ts";

/** CDK's feature flags: here and not in cdk.json, so that the local run synthesizes the very same template. */
const flags = {
  "@aws-cdk/aws-iam:minimizePolicies": true,
  "@aws-cdk/core:target-partitions": ["aws", "aws-cn"],
};

/** What is not given is taken from the context (`-c stage=…`). */
interface AppProps extends StageSettings {
  /** `dev` or `prod`; `dev` unless told. */
  readonly stage?: string;
  /** Where the cloud assembly is written; where the CDK CLI wants it when not given. */
  readonly outdir?: string;
}

/**
 * The CDK app: one stack per stage. `cdk deploy` and the local run both build it here.
 *
 * @throws Error saying what to give when the stage or its settings do not fit
 */
export function createApp({ stage: name, outdir, ...settings }: AppProps = {}): App {
  const app = new App({ ...(outdir && { outdir }), analyticsReporting: false, context: flags });
  refuseUnknown(Object.keys(app.node.getAllContext()));
  // An empty one counts as absent: a pipeline hands on variables that nobody has set.
  const context = (setting: string): string | undefined => app.node.tryGetContext(setting) || undefined;
  const texts = settingNames.map((setting) => [setting, settings[setting] ?? context(setting)]);
  const stage = stageOf(name ?? context("stage") ?? "dev", Object.fromEntries(texts));
  const stack = new Stack(app, `resource-api-${stage.name}`, {
    description: "JSON-over-HTTP API for todos, users, products, orders, posts and items",
  });
  const resources = { tables: tables(stack, stage), secrets: secrets(stack, stage) };
  const byName = functions(stack, stage, resources, join(app.outdir, "bundles"));
  const { api, accessLogs } = gateway(stack, stage, byName);
  const logMetrics = metricsOfLogs(stack, stage, accessLogs, byName);
  const watched = { api, functions: [...byName.values()], tables: resources.tables, logMetrics };
  dashboard(stack, stage, watched);
  if (stage.alarms) alarms(stack, watched);
  Tags.of(stack).add("service", "resource-api");
  Tags.of(stack).add("stage", stage.name);
  return app;
}

/** A mistyped setting would be passed over in silence. CDK's own keys are not of letters alone. */
function refuseUnknown(context: readonly string[]): void {
  const known: readonly string[] = ["stage", ...settingNames];
  const unknown = context.find((key) => /^[a-z]+$/i.test(key) && !known.includes(key));
  if (unknown !== undefined) throw new SettingError(unknown, `no setting: there are ${known.join(", ")}`);
}
