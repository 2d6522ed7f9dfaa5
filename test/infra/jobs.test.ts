import { App, Stack } from "aws-cdk-lib";
import { Match, Template } from "aws-cdk-lib/assertions";
import { AttributeType, type ITable, StreamViewType, Table } from "aws-cdk-lib/aws-dynamodb";
import { Code, Function as LambdaFunction, Runtime } from "aws-cdk-lib/aws-lambda";
import { expect, it } from "vitest";
import type { JobDefinition } from "../../functions/define-area.ts";
import { tableNames } from "../../functions/definitions.ts";
import { startJobs } from "../../infra/jobs.ts";
import type { Job } from "../../infra/lambdas.ts";
import { resolveStage } from "../../infra/settings/stages.ts";
import { tables } from "../../infra/tables.ts";
import { stackNameOf } from "../../lib/construct-ids.ts";

const size = { memoryMegabytes: 128, timeoutSeconds: 60 };

/** A stack whose area `notes` has these jobs. */
function stackWith(definitions: Readonly<Record<string, Omit<JobDefinition, "uses">>>, hasStream = true) {
  const stack = new Stack(new App({ analyticsReporting: false }), "notes");
  const table = new Table(stack, "Notes", {
    partitionKey: { name: "pk", type: AttributeType.STRING },
    ...(hasStream && { stream: StreamViewType.NEW_AND_OLD_IMAGES }),
  });
  const all = Object.entries(definitions).map(([name, definition]): [string, Job] => [
    `job-notes-${name}`,
    { ...definition, uses: {}, area: "notes", name, lambda: { uses: {}, size } },
  ]);
  const props = { runtime: Runtime.NODEJS_24_X, handler: "index.handler", code: Code.fromInline("0") };
  const lambdas = new Map(all.map(([name]) => [name, new LambdaFunction(stack, name, props)]));
  const queue = startJobs(stack, new Map(all), lambdas, new Map([["notes", table as ITable]]));
  return { queue, template: Template.fromStack(stack) };
}

const queueArn = { "Fn::GetAtt": [Match.stringLikeRegexp("^FailedJobs"), "Arn"] };

it("the stream starts jobs of messages and changes, whose last failure goes to the queue", () => {
  const jobs = { tell: { startedBy: "message" }, copy: { startedBy: "change", attempts: 5 } } as const;
  const { template } = stackWith(jobs);
  const mapping = (pattern: object, MaximumRetryAttempts: number) =>
    template.hasResourceProperties("AWS::Lambda::EventSourceMapping", {
      ...{ StartingPosition: "TRIM_HORIZON", BisectBatchOnFunctionError: true },
      ...{ MaximumRetryAttempts, DestinationConfig: { OnFailure: { Destination: queueArn } } },
      FilterCriteria: { Filters: [{ Pattern: Match.serializedJson({ dynamodb: pattern }) }] },
    });
  mapping({ Keys: { pk: { S: ["message#tell"] } }, NewImage: { pk: { S: [{ exists: true }] } } }, 2);
  mapping({ Keys: { pk: { S: [..."0123456789"].map((prefix) => ({ prefix })) } } }, 4);
  // They may read their own messages alone.
  for (const job of ["tell", "copy"])
    expect(JSON.stringify(template.findResources("AWS::IAM::Policy"))).toContain(
      `{"ForAllValues:StringEquals":{"dynamodb:LeadingKeys":["message#${job}"]}}`,
    );
});

it("a schedule invokes its job, whose last failure goes to the queue too", () => {
  const { template } = stackWith({ purge: { startedBy: "cron(0 6 * * ? *)", attempts: 2 } }, false);
  template.hasResourceProperties("AWS::Events::Rule", { ScheduleExpression: "cron(0 6 * * ? *)" });
  template.hasResourceProperties("AWS::Lambda::EventInvokeConfig", {
    ...{ MaximumRetryAttempts: 1, DestinationConfig: { OnFailure: { Destination: queueArn } } },
  });
  template.hasResourceProperties("AWS::SQS::Queue", { MessageRetentionPeriod: 14 * 24 * 60 * 60 });
});

it("without jobs there is no queue; too many readers and tables without a stream are refused", () => {
  const { queue, template } = stackWith({}, false);
  expect(queue).toBeUndefined();
  template.resourceCountIs("AWS::SQS::Queue", 0);
  const message = { startedBy: "message" } as const;
  const three = () => stackWith({ a: message, b: message, c: message });
  expect(three).toThrow("Two jobs of notes can be started by messages and changes, not 3");
  expect(() => stackWith({ a: message }, false)).toThrow("must have notes: the table in use needs one for a");
  expect(() => stackWith({ a: { startedBy: "rate(1 day)", attempts: 4 } })).toThrow(/between 0 and 2/);
});

it("a table that is used instead of the stack's own has the stream that the stage names", () => {
  const stack = new Stack(new App({ analyticsReporting: false }), "stage");
  const [area = ""] = tableNames;
  const name = `${stackNameOf("dev")}-${area}-restored`;
  const time = "2026-11-26T09:30:00.123";
  const settings = { tables: `${area}:${name}`, streams: `${area}:${time}` };
  const table = tables(stack, resolveStage("dev", settings)).get(area);
  expect(JSON.stringify(stack.resolve(table?.tableStreamArn))).toContain(`:table/${name}/stream/${time}`);
  const withoutTime = () => resolveStage("dev", { streams: `${area}:latest` });
  expect(withoutTime).toThrow("areas with the label of a stream");
});
