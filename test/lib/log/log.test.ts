import type { APIGatewayProxyEventV2, Context } from "aws-lambda";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import * as z from "zod/mini";
import { SERVICE_NAME } from "../../../lib/construct-ids.ts";
import { about } from "../../support/api/test-route.ts";

const context = { functionName: "notes-function", functionVersion: "7", awsRequestId: "aws-1" } as Context;

type LogLine = Readonly<Record<string, unknown>>;

const text = (maximum: number) => z.string().check(z.minLength(1), z.maxLength(maximum));

/** CloudWatch's published JSON schema of the embedded metric format ("Specification: Embedded metric format"). */
const EmbeddedMetrics = z.looseObject({
  _aws: z.looseObject({
    Timestamp: z.int().check(z.nonnegative()),
    CloudWatchMetrics: z.array(
      z.looseObject({
        Namespace: text(1_024),
        Dimensions: z.array(z.array(text(250)).check(z.maxLength(30))).check(z.minLength(1)),
        Metrics: z
          .array(
            z.looseObject({
              Name: text(1_024),
              Unit: z.optional(z.enum(["Count", "Milliseconds"])),
              StorageResolution: z.optional(z.literal([1, 60])),
            }),
          )
          .check(z.maxLength(100)),
      }),
    ),
  }),
});

/** The fields that directives refer to: dimensions are texts, metrics are numbers or lists of them. */
const DimensionValue = text(1_024);
const MetricValue = z.union([z.number(), z.array(z.number()).check(z.minLength(1), z.maxLength(100))]);

/** Each set of metrics with its dimensions, as CloudWatch extracts it. */
function metricsOf(line: LogLine): LogLine[] {
  return EmbeddedMetrics.parse(line)._aws.CloudWatchMetrics.flatMap(({ Dimensions, Metrics }) =>
    Dimensions.map((names) =>
      Object.fromEntries([
        ...names.map((name) => [name, DimensionValue.parse(line[name])]),
        ...Metrics.map(({ Name }) => [Name, MetricValue.parse(line[Name])]),
      ]),
    ),
  );
}

/** What is written to stdout and stderr in the rest of the test. */
function captureOutput() {
  const output: string[] = [];
  for (const stream of [process.stdout, process.stderr])
    vi.spyOn(stream, "write").mockImplementation((chunk) => output.push(String(chunk)) > 0);
  return output;
}

type Summary = Parameters<typeof import("../../../lib/log/log.ts").logRequest>[1];

/** The lines of requests that were successful but for some fields. */
async function linesOf(...requests: readonly Partial<Summary>[]): Promise<LogLine[]> {
  const { logRequest } = await import("../../../lib/log/log.ts");
  const output = captureOutput();
  const ids = { requestId: "JKJaXmPLvHcESHA=", headers: {}, route: "GET /todos/{id}" };
  for (const request of requests)
    logRequest(context, { ...ids, status: 200, milliseconds: 12.34, ...request }, new Error("e"));
  return output.map((line) => JSON.parse(line));
}

interface Sent {
  readonly path?: string;
  readonly note?: { readonly text?: unknown; readonly tags?: readonly unknown[] };
  /** What the handler throws. */
  readonly thrown?: (errors: typeof import("../../../lib/domain/errors.ts")) => unknown;
  /** Instead of the request. */
  readonly event?: unknown;
}

/** The line of a request with the word SECRET in every part, which the log must not contain. */
async function logOf({ path = "/notes/SECRET", note = { text: "SECRET" }, thrown, event }: Sent) {
  // Imported again for each test, since the log reads its settings when its module is loaded.
  const { createHandler } = await import("../../../lib/http/handler.ts");
  const { response, routeBuilder } = await import("../../../lib/http/route.ts");
  const errors = await import("../../../lib/domain/errors.ts");
  const output = captureOutput();
  const route = routeBuilder<unknown>({ tag: "notes", errorFormat: "error" })("POST /notes/{id}", {
    ...about,
    request: { body: z.object({ text: z.string(), tags: z.optional(z.array(z.enum(["a", "b"]))) }) },
    responses: { 204: z.undefined() },
    handle: async () => {
      if (thrown) throw thrown(errors);
      return response(204);
    },
  });
  const request = {
    rawPath: path,
    rawQueryString: "token=SECRET",
    headers: { authorization: "Bearer SECRET", "x-api-key": "SECRET" },
    body: JSON.stringify(note),
    requestContext: { requestId: "request-1", http: { method: "POST" } },
  };
  const sent = (event === undefined ? request : event) as APIGatewayProxyEventV2;
  await createHandler([route], () => () => ({}))(sent, context);
  expect(output.join("")).not.toContain("SECRET");
  expect(output).toEqual([expect.stringMatching(/^[^\n]+\n$/)]);
  const line = JSON.parse(output.join("")) as LogLine;
  expect(metricsOf(line).length).toBeGreaterThan(0);
  return line;
}

beforeEach(() => {
  vi.resetModules();
  vi.stubEnv("AWS_LAMBDA_LOG_LEVEL", "INFO");
  vi.stubEnv("METRICS_NAMESPACE", SERVICE_NAME);
  vi.stubEnv("SERVICE_NAME", "notes");
  vi.stubEnv("AWS_LAMBDA_INITIALIZATION_TYPE", "on-demand");
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

describe("the log line of a request", () => {
  const foreign = "The function was invoked with an event that is not an HTTP API's, payload format 2.0";
  const prefixed = "The path begins with the gateway's stage: use the stage $default";
  it.each([
    [null, foreign],
    [{ Records: [{ body: "SECRET" }] }, foreign],
    [{ version: "1.0", path: "/", httpMethod: "GET", headers: null, body: null }, foreign],
    [{ requestContext: { elb: {} }, httpMethod: "GET", path: "/", headers: {}, body: "" }, foreign],
    [{ rawPath: 5 }, foreign],
    [{ rawPath: "/prod/notes/1", requestContext: { stage: "prod" } }, prefixed],
  ])("says what is wrong with the event %j", async (event, message) => {
    expect(await logOf({ event })).toMatchObject({ level: "ERROR", status: 500, error: { message } });
  });

  it("has its route template, status, duration and id, and none of its content", async () => {
    const line = await logOf({});
    expect(line).toMatchObject({
      level: "INFO",
      message: "request",
      service: "notes",
      function_name: "notes-function",
      cold_start: true,
      requestId: "request-1",
      route: "POST /notes/{id}",
      status: 204,
      duration: expect.any(Number),
    });
    for (const field of ["errorCode", "errorField", "errorFields", "clientErrors", "serverErrors"])
      expect(line).not.toHaveProperty(field);
    const metrics = { service: "notes", route: "POST /notes/{id}", duration: line.duration };
    expect(metricsOf(line)).toContainEqual(metrics);
  });

  it("has the field of a conflict", async () => {
    const field = "username";
    const line = await logOf({ thrown: ({ ApiError }) => new ApiError("Conflict", "SECRET", { field }) });
    expect(line).toMatchObject({ status: 409, errorCode: "Conflict", errorField: "username" });
    expect(line).not.toHaveProperty("errorFields");
  });

  it("has the fields and types of ten validation errors at most", async () => {
    const line = await logOf({ note: { tags: new Array(500).fill("SECRET") } });
    expect(line).toMatchObject({ level: "INFO", status: 422, errorCode: "ValidationError" });
    expect(line.errorFields).toEqual([
      { field: "body.text", type: "missing" },
      ...Array.from({ length: 9 }, (_, i) => ({ field: `body.tags.${i}`, type: "invalid_value" })),
    ]);
    expect(line).not.toHaveProperty("errorField");
  });
});

describe("the metrics of a request", () => {
  it.each([
    ["clientErrors", 404, "/notes/SECRET/none", "unmatched"],
    ["serverErrors", 500, "/notes/1", "POST /notes/{id}"],
  ])("count it in %s for a %i", async (name, status, path, route) => {
    const line = await logOf({ path, thrown: () => new Error("unexpected") });
    expect(line).toMatchObject({ status });
    expect(metricsOf(line)).toContainEqual({ service: "notes", route, duration: line.duration, [name]: 1 });
    expect(Object.keys(line).filter((field) => field.endsWith("Errors"))).toEqual([name]);
  });

  it("count it, with its cause, for the version and the area that failed, but no demonstration", async () => {
    const failure = { service: "notes", serverErrors: 1 };
    const failed = [{ ...failure, function_version: "7" }, failure];
    const line = await logOf({ thrown: () => new Error("unexpected") });
    const error = { message: "unexpected", name: "Error", stack: expect.any(String) };
    expect(line).toMatchObject({ level: "ERROR", status: 500, requestId: "request-1", error });
    expect(metricsOf(line)).toEqual(expect.arrayContaining(failed));

    const code = "InternalServerError";
    const demonstration = await logOf({ thrown: ({ ApiError }) => new ApiError(code, "Something") });
    expect(demonstration.status).toBe(500);
    for (const each of failed) expect(metricsOf(demonstration)).not.toContainEqual(each);
  });

  it("count the first request of an environment as its cold start", async () => {
    const [cold = {}, warm = {}] = await linesOf({}, {});
    expect(cold).toMatchObject({ cold_start: true, function_name: "notes-function" });
    const start = { service: "notes", function_name: "notes-function", ColdStart: 1 };
    expect(metricsOf(cold)).toContainEqual(start);
    expect(metricsOf(warm)).toEqual([{ service: "notes", route: "GET /todos/{id}", duration: 12.34 }]);
    for (const field of ["cold_start", "function_name", "ColdStart"]) expect(warm).not.toHaveProperty(field);
  });
});

it("a line has at most 365 bytes, and no cold start of a provisioned environment", async () => {
  vi.stubEnv("METRICS_NAMESPACE", `${SERVICE_NAME}/prod`);
  vi.stubEnv("AWS_LAMBDA_INITIALIZATION_TYPE", "provisioned-concurrency");
  const [line] = await linesOf({});
  expect(line).not.toHaveProperty("ColdStart");
  expect(Buffer.byteLength(JSON.stringify(line))).toBeLessThanOrEqual(365);
});

it.each([
  ["00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", "0af7651916cd43dd8448eb211c80319c"],
  ["00-00000000000000000000000000000000-b7ad6b7169203331-01", undefined],
  ["ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", undefined],
  ["00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01", undefined],
  ["a client's text", undefined],
  [undefined, undefined],
])("a line has the trace id of the traceparent %s: %s", async (traceparent, traceId) => {
  const [line] = await linesOf({ traceparent });
  expect(line?.trace_id).toBe(traceId);
});

describe("settings", () => {
  it("without a namespace there are no metrics", async () => {
    vi.stubEnv("METRICS_NAMESPACE", undefined);
    const [line] = await linesOf({});
    expect(line).toMatchObject({ message: "request", duration: 12.34 });
    expect(line).not.toHaveProperty("_aws");
  });

  it.each([
    ["INFO", [200, 500]],
    ["WARN", [500]],
    ["FATAL", []],
  ])("with the function's log level %s, requests with %j are logged", async (level, expected) => {
    vi.stubEnv("AWS_LAMBDA_LOG_LEVEL", level);
    const lines = await linesOf({ status: 200 }, { status: 500 });
    expect(lines.map(({ status }) => status)).toEqual(expected);
  });
});
