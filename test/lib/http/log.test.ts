import type { APIGatewayProxyEventV2, Context } from "aws-lambda";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import * as z from "zod";

const context = {
  functionName: "notes-function",
  invokedFunctionArn: "arn:aws:lambda:us-east-1:000000000000:function:notes-function",
  awsRequestId: "aws-1",
  memoryLimitInMB: "1024",
} as Context;

interface Logged {
  readonly line: Record<string, unknown>;
  readonly metrics: Record<string, unknown>;
}

interface SentNote {
  readonly text?: unknown;
  readonly tags?: readonly unknown[];
}

/**
 * Sends a request to a route with logging on. Every part of the request contains the word SECRET, which the log must
 * not contain.
 *
 * @param thrown what the handler throws, made from lib/domain/errors.ts; undefined if it succeeds
 */
async function logOf({
  path = "/notes/SECRET",
  note = { text: "SECRET" },
  thrown,
}: {
  readonly path?: string;
  readonly note?: SentNote;
  readonly thrown?: (errors: typeof import("../../../lib/domain/errors.ts")) => unknown;
}): Promise<Logged> {
  // Imported again for each test, since the logger reads its settings when its module is loaded.
  const { createHandler } = await import("../../../lib/http/handler.ts");
  const { response, routeBuilder } = await import("../../../lib/http/route.ts");
  const errors = await import("../../../lib/domain/errors.ts");
  const output: string[] = [];
  const streams = [process.stdout, process.stderr].map((stream) =>
    vi.spyOn(stream, "write").mockImplementation((chunk) => {
      output.push(String(chunk));
      return true;
    }),
  );
  const route = routeBuilder<unknown>({ tag: "notes", errorFormat: "error" })("POST /notes/{id}", {
    operationId: "test",
    summary: "Note",
    description: "For the tests.",
    request: { body: z.object({ text: z.string(), tags: z.array(z.enum(["a", "b"])).optional() }) },
    responses: { 204: z.undefined() },
    handle: async () => {
      if (thrown) throw thrown(errors);
      return response(204);
    },
  });
  await createHandler([route], () => ({}))(
    {
      rawPath: path,
      rawQueryString: "token=SECRET",
      headers: { authorization: "Bearer SECRET", "x-api-key": "SECRET" },
      body: JSON.stringify(note),
      requestContext: { requestId: "request-1", domainName: "api.example.com", http: { method: "POST" } },
    } as unknown as APIGatewayProxyEventV2,
    context,
  );
  for (const stream of streams) stream.mockRestore();
  expect(output.join("")).not.toContain("SECRET");
  const lines = output.map((text) => JSON.parse(text) as Record<string, unknown>);
  const [line = {}, ...otherLines] = lines.filter((each) => !("_aws" in each));
  expect(otherLines).toEqual([]);
  return { line, metrics: lines.find((each) => "_aws" in each && "route" in each) ?? {} };
}

beforeEach(() => {
  vi.resetModules();
  vi.stubEnv("POWERTOOLS_LOG_LEVEL", "INFO");
  vi.stubEnv("POWERTOOLS_METRICS_DISABLED", "false");
  vi.stubEnv("POWERTOOLS_METRICS_NAMESPACE", "resource-api");
  vi.stubEnv("POWERTOOLS_SERVICE_NAME", "notes");
  vi.stubEnv("AWS_LAMBDA_INITIALIZATION_TYPE", "on-demand");
});
afterEach(() => vi.unstubAllEnvs());

describe("the log line of a request", () => {
  it("has its route template, status, duration and id, and none of its content", async () => {
    const { line } = await logOf({});

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
    for (const field of ["errorCode", "errorField", "errorFields"]) expect(line).not.toHaveProperty(field);
  });

  it("does not have an unknown path", async () => {
    const { line } = await logOf({ path: "/SECRET" });

    expect(line).toMatchObject({ route: "unmatched", status: 404, errorCode: "NotFound" });
  });

  it("has the error code of a 4xx", async () => {
    const { line } = await logOf({ thrown: ({ notFound }) => notFound("Note SECRET") });

    expect(line).toMatchObject({ level: "INFO", status: 404, errorCode: "NotFound" });
    for (const field of ["errorField", "errorFields", "error"]) expect(line).not.toHaveProperty(field);
  });

  it("has the field of a conflict", async () => {
    const { line } = await logOf({
      thrown: ({ ApiError }) =>
        new ApiError("Conflict", 'The username "SECRET" is taken', { field: "username" }),
    });

    expect(line).toMatchObject({ status: 409, errorCode: "Conflict", errorField: "username" });
    expect(line).not.toHaveProperty("errorFields");
  });

  it("has the fields and types of validation errors", async () => {
    const { line } = await logOf({ note: { tags: ["a", "SECRET"] } });

    expect(line).toMatchObject({ level: "INFO", status: 422, errorCode: "ValidationError" });
    expect(line.errorFields).toEqual([
      { field: "body.text", type: "missing" },
      { field: "body.tags.1", type: "invalid_value" },
    ]);
    expect(line).not.toHaveProperty("errorField");
  });

  it("has at most ten validation errors", async () => {
    const { line } = await logOf({ note: { text: "SECRET", tags: new Array(500).fill("SECRET") } });

    expect(line.errorFields).toEqual(
      Array.from({ length: 10 }, (_, i) => ({ field: `body.tags.${i}`, type: "invalid_value" })),
    );
  });

  it("has the cause of a 5xx", async () => {
    const { line } = await logOf({
      thrown: ({ notFound }) => new Error("the cause", { cause: notFound("its cause") }),
    });

    expect(line).toMatchObject({
      level: "ERROR",
      status: 500,
      requestId: "request-1",
      error: { message: "the cause", name: "Error", stack: expect.any(String) },
    });
  });
});

describe("the metrics of a request", () => {
  it("are labelled with its route template", async () => {
    const { metrics } = await logOf({});

    expect(metrics).toMatchObject({
      service: "notes",
      route: "POST /notes/{id}",
      duration: expect.any(Number),
    });
    expect(metrics).not.toHaveProperty("clientErrors");
    expect(metrics).not.toHaveProperty("serverErrors");
  });

  it.each([
    ["clientErrors", 404, "/notes/1/none"],
    ["serverErrors", 500, "/notes/1"],
  ])("count it in %s for a %i", async (name, status, path) => {
    const { line, metrics } = await logOf({ path, thrown: () => new Error("unexpected") });

    expect(line).toMatchObject({ status });
    const errors = Object.entries(metrics).filter(([metric]) => metric.endsWith("Errors"));
    expect(errors).toEqual([[name, 1]]);
  });
});
