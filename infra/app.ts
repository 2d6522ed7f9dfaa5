import { join } from "node:path";
import {
  App,
  CfnOutput,
  CfnResource,
  DefaultStackSynthesizer,
  type IReusableStackSynthesizer,
  Stack,
  Tags,
} from "aws-cdk-lib";
import type { Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import { Construct } from "constructs";
import cdk from "../cdk.json" with { type: "json" };
import type { AreaConstructs } from "../functions/define-area.ts";
import { functionOf, gatewayFunctions } from "../functions/definitions.ts";
import { ofAreas } from "../functions/of-areas.ts";
import {
  DATA_FORMAT,
  DATA_FORMAT_OUTPUT,
  jobFunction,
  OF_AREA,
  pascalCase,
  SERVICE_NAME,
  SERVICE_SUMMARY,
  stackNameOf,
} from "../lib/construct-ids.ts";
import { backUp } from "./backups.ts";
import { type Functions, functions } from "./functions.ts";
import { gateway } from "./gateway/gateway.ts";
import { startJobs } from "./jobs.ts";
import { jobs } from "./lambdas.ts";
import { checkLimits } from "./limits.ts";
import { alarms, notifyOfRollouts } from "./monitoring/alarms.ts";
import { budget } from "./monitoring/budget.ts";
import { dashboard } from "./monitoring/dashboard.ts";
import { createLogMetrics } from "./monitoring/log-metrics.ts";
import { scheduleRepair } from "./repair.ts";
import { createAliases, deployGradually } from "./rollout.ts";
import { secrets } from "./secrets.ts";
import { SettingError, type StageSettings, settingNames } from "./settings/settings.ts";
import { kindOf, resolveStage, type Stage } from "./settings/stages.ts";
import { type Tables, tables } from "./tables.ts";
import { createVisitor } from "./visitor.ts";

/** Absent settings are read from the context (`-c name=value`), and then from the stage's file. */
interface AppProps extends StageSettings {
  /** `dev` (default), `prod`, or `dev-` and a name. */
  readonly stage?: string;
  readonly outdir?: string;
}

/** What `infra/stages/` sets. Only a deployment has it. */
type StageFiles = Readonly<Record<ReturnType<typeof kindOf>, StageSettings>>;

/**
 * The CDK app of `cdk deploy` and of the local run: one stack per stage.
 *
 * @throws SettingError when the stage or one of its settings is invalid
 */
export async function createApp({ outdir, ...settings }: AppProps = {}, files?: StageFiles): Promise<App> {
  // The CDK CLI passes the flags of cdk.json itself. The local run and the tests do not start it.
  const app = new App({ ...(outdir && { outdir }), analyticsReporting: false, context: cdk.context });
  const stage = readStage(app, settings, files);
  const { bootstrapQualifier: qualifier } = stage;
  const synthesizer = new DefaultStackSynthesizer({ ...(qualifier && { qualifier }) });
  const stack = new Stack(app, stackNameOf(stage.name), {
    terminationProtection: stage.keepData,
    synthesizer: synthesizer as IReusableStackSynthesizer,
    description: SERVICE_SUMMARY,
  });
  const resources = { tables: tables(stack, stage), secrets: secrets(stack, stage) };
  const lambdas = await functions(stack, stage, resources, join(app.outdir, "bundles"));
  await addConstructs(stack, stage, lambdas, resources.tables);
  const invoked = gatewayFunctions.map((name) => [name, lambdas.get(name) as LambdaFunction] as const);
  const targets = createAliases(stack, stage, new Map(invoked));
  const { api, accessLog, url } = gateway(stack, stage, targets);
  const repairMetrics = scheduleRepair(stack, stage, lambdas.get("repair") as LambdaFunction);
  const monitored = {
    api,
    functions: lambdas,
    tables: resources.tables,
    failedJobs: startJobs(stack, jobs, lambdas, resources.tables),
    logMetrics: createLogMetrics(stack, stage, accessLog, lambdas),
  };
  const visitor = stage.visitor ? createVisitor(stack, stage, url, gatewayFunctions) : undefined;
  const alarmed = stage.alarms ? alarms(stack, stage, monitored, repairMetrics, visitor) : undefined;
  if (stage.dashboard) dashboard(stack, stage, monitored, alarmed?.all ?? []);
  if (stage.hasCanary) {
    const { applicationName } = deployGradually(stack, stage, targets, resources.tables, visitor);
    if (alarmed) notifyOfRollouts(stack, stage, alarmed.topic, applicationName);
  }
  budget(stack, stage, lambdas);
  // Operators' commands compare it.
  new CfnOutput(stack, DATA_FORMAT_OUTPUT, { value: String(DATA_FORMAT), description: "Of stored records" });
  backUp(stack, stage, resources.tables);
  checkLimits(stack);
  Tags.of(stack).add("service", SERVICE_NAME);
  Tags.of(stack).add("stage", stage.name);
  return app;
}

function readStage(app: App, { stage: name, ...settings }: AppProps, files?: StageFiles): Stage {
  const context = (setting: string): string | undefined => app.node.tryGetContext(setting);
  const stageName = name ?? context("stage") ?? "dev";
  const file = files?.[kindOf(stageName)] ?? {};
  refuseUnknownSettings([...Object.keys(app.node.getAllContext()), ...Object.keys(file)]);
  const values = settingNames.map((each) => [each, settings[each] ?? context(each) ?? file[each]]);
  const stage = resolveStage(stageName, Object.fromEntries(values));
  if (files && stage.issuer?.url.startsWith("http:"))
    throw new SettingError("issuer", "must have a url that begins with https:// in a deployment");
  return stage;
}

/** What areas add to the stack, marked for the local run, which leaves it out. */
async function addConstructs(stack: Stack, stage: Stage, lambdas: Functions, tables: Tables): Promise<void> {
  for (const [area, addTo] of Object.entries(await ofAreas<AreaConstructs>("constructs"))) {
    const before = new Set(stack.node.children);
    const scope = new Construct(stack, `${pascalCase(area)}Own`);
    const job = (name: string) => lambdas.get(jobFunction(area, name)) as LambdaFunction;
    addTo(scope, { lambda: lambdas.get(functionOf(area)) as LambdaFunction, job, tables, stage });
    // Also what the CDK adds to the stack itself, such as a function for a bucket's notifications.
    for (const added of stack.node.children.filter((each) => !before.has(each)))
      for (const each of added.node.findAll())
        if (CfnResource.isCfnResource(each)) each.addMetadata(OF_AREA, area);
  }
}

/** Without this a mistyped setting would be ignored. CDK's own context keys contain more than letters. */
function refuseUnknownSettings(context: readonly string[]): void {
  const known: readonly string[] = ["stage", ...settingNames];
  const unknown = context.find((key) => /^[a-z]+$/i.test(key) && !known.includes(key));
  if (unknown !== undefined)
    throw new SettingError(unknown, `is unknown; the settings are ${known.join(", ")}`);
}
