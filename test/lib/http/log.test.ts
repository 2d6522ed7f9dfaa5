import type { APIGatewayProxyEventV2, Context } from "aws-lambda";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import * as z from "zod";
import { ApiError } from "../../../lib/domain/errors.ts";

const context = {
  functionName: "notes-function",
  invokedFunctionArn: "arn:aws:lambda:us-east-1:000000000000:function:notes-function",
  awsRequestId: "aws-1",
  memoryLimitInMB: "1024",
} as Context;

/** Serves one route with logging on, and returns every line that it writes. */
async function linesOf(
  handle: () => Promise<never>,
  path = "/notes/SECRET-ID",
): Promise<Record<string, unknown>[]> {
  // Imported afresh: the logger reads its settings when its module is loaded.
  const { createHandler } = await import("../../../lib/http/handler.ts");
  const { response, routeBuilder } = await import("../../../lib/http/route.ts");
  const written: string[] = [];
  const streams = [process.stdout, process.stderr].map((stream) =>
    vi.spyOn(stream, "write").mockImplementation((chunk) => {
      written.push(String(chunk));
      return true;
    }),
  );
  const route = routeBuilder<unknown>({ tag: "notes", errorFormat: "error" })("POST /notes/{id}", {
    operationId: "test",
    summary: "Note",
    description: "For the tests.",
    body: z.object({ text: z.string() }),
    responses: { 200: z.object({ text: z.string() }) },
    handle: async ({ body }) => (body.text === "SECRET-BODY" ? response(200, body) : handle()),
  });
  await createHandler([route], () => ({}))(
    {
      rawPath: path,
      rawQueryString: "token=SECRET-QUERY",
      headers: { authorization: "Bearer SECRET-TOKEN", "x-api-key": "SECRET-KEY" },
      body: JSON.stringify({ text: path.endsWith("SECRET-ID") ? "SECRET-BODY" : "SECRET-FAIL" }),
      requestContext: { requestId: "request-1", domainName: "api.example.com", http: { method: "POST" } },
    } as unknown as APIGatewayProxyEventV2,
    context,
  );
  for (const stream of streams) stream.mockRestore();
  expect(written.join("")).not.toContain("SECRET");
  return written.map((line) => JSON.parse(line) as Record<string, unknown>);
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

const never = async () => {
  throw new Error("not called");
};

describe("an answered request", () => {
  it("writes one log line with its route template, status, time and id, and nothing of its content", async () => {
    const [line] = (await linesOf(never)).filter((each) => !("_aws" in each));

    expect(line).toMatchObject({
      level: "INFO",
      message: "request",
      service: "notes",
      function_name: "notes-function",
      cold_start: true,
      requestId: "request-1",
      route: "POST /notes/{id}",
      status: 200,
      duration: expect.any(Number),
    });
  });

  it("counts in metrics by its route template", async () => {
    const [metrics] = (await linesOf(never)).filter((each) => "_aws" in each && "route" in each);

    expect(metrics).toMatchObject({
      service: "notes",
      route: "POST /notes/{id}",
      duration: expect.any(Number),
    });
    expect(metrics).not.toHaveProperty("clientErrors");
    expect(metrics).not.toHaveProperty("serverErrors");
  });

  it.each([
    ["/notes/1/none", "clientErrors", 404],
    ["/notes/1", "serverErrors", 500],
  ])("of %s counts in %s", async (path, name, status) => {
    const lines = await linesOf(never, path);

    expect(lines).toContainEqual(expect.objectContaining({ status }));
    const [metrics] = lines.filter((each) => "_aws" in each && "route" in each);
    const errors = Object.entries(metrics ?? {}).filter(([metric]) => metric.endsWith("Errors"));
    expect(errors).toEqual([[name, 1]]);
  });

  it("of an unknown path is not logged with the path", async () => {
    const [line] = (await linesOf(never, "/SECRET-PATH")).filter((each) => !("_aws" in each));
    expect(line).toMatchObject({ route: "unmatched", status: 404 });
  });

  it("logs the cause of a server error", async () => {
    const failing = async () => {
      throw new Error("the cause", { cause: new ApiError("NotFound", "its cause") });
    };
    const [line] = (await linesOf(failing, "/notes/1")).filter((each) => !("_aws" in each));

    expect(line).toMatchObject({
      level: "ERROR",
      status: 500,
      requestId: "request-1",
      error: { message: "the cause", name: "Error", stack: expect.any(String) },
    });
  });
});
