import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { allRoutes } from "../../../functions/definitions.ts";
import type { FieldError } from "../../../lib/domain/errors.ts";
import { statusByCode } from "../../../lib/http/errors.ts";
import { isCreation, type Route } from "../../../lib/http/route.ts";
import type { ApiResponse } from "../../support/api/conformance.ts";
import { credentialsFor, prepareExample } from "../../support/api/examples.ts";
import { api } from "../../support/api/target.ts";

const creations = allRoutes.filter(isCreation);

/** A new request of a route: its example, about records of its own. */
async function newRequest({ key }: Route) {
  const request = await prepareExample(key, new Map());
  return { ...request, headers: await credentialsFor(request) };
}

type NewRequest = Awaited<ReturnType<typeof newRequest>>;

function send({ method, target, body, headers }: NewRequest, key: string): Promise<ApiResponse> {
  return api.request(method, target, body, { headers: { ...headers, "idempotency-key": key } });
}

/** Expects that the key was rejected, in the error format of the route. */
function expectRejected({ status, body }: ApiResponse, route: Route, type: FieldError["type"]) {
  const field = "headers.idempotency-key";
  const error = route.onInvalid?.([{ field, message: "", type }]);
  expect(status).toBe(statusByCode[error?.code ?? "ValidationError"]);
  expect(body).toEqual(
    error
      ? { error: expect.stringContaining("idempotency-key") }
      : expect.objectContaining({ details: [{ field, message: expect.any(String), type }] }),
  );
}

describe.each(creations)("$key with an Idempotency-Key", (route) => {
  it("creates once and returns the same response again", async () => {
    const [request, key] = [await newRequest(route), randomUUID()];
    const first = await send(request, key);
    const again = await send(request, key);

    expect(first.status).toBe(201);
    expect(first.headers.get("idempotency-replayed")).toBeNull();
    expect(again).toMatchObject({ status: 201, text: first.text });
    expect(again.headers.get("idempotency-replayed")).toBe("true");
    for (const name of ["location", "etag", "content-type"])
      expect(again.headers.get(name)).toBe(first.headers.get(name));
  });

  it("creates once if the request is sent concurrently", async () => {
    const [request, key] = [await newRequest(route), randomUUID()];
    const responses = await Promise.all(Array.from({ length: 4 }, () => send(request, key)));
    const created = responses.filter(({ status }) => status === 201);
    const conflict = { status: 409, body: { error: "Conflict", field: "idempotency-key" } };

    expect(new Set(created.map(({ text, headers }) => `${text} ${headers.get("location")}`)).size).toBe(1);
    for (const response of responses)
      if (!created.includes(response)) expect(response).toMatchObject(conflict);
    expect((await send(request, key)).headers.get("idempotency-replayed")).toBe("true");
  });

  it("rejects another request with the key, and invalid keys", async () => {
    const [request, key] = [await newRequest(route), randomUUID()];
    await send(request, key);
    const target = `${request.target}${request.target.includes("?") ? "&" : "?"}other=1`;
    expectRejected(await send({ ...request, target }, key), route, "key_reused");
    // Two headers arrive joined with a comma.
    for (const invalid of ["", "x".repeat(256), "one,two", '"one", "two"'])
      expectRejected(await send(request, invalid), route, "invalid_format");
  });

  it("does not store a failed request", async () => {
    const [request, key] = [await newRequest(route), randomUUID()];
    const failed = await send({ ...request, body: "invalid" }, key);
    const succeeded = await send(request, key);
    expect([400, 422]).toContain(failed.status);
    expect(succeeded.status).toBe(201);
    expect(succeeded.headers.get("idempotency-replayed")).toBeNull();
  });
});

describe("an Idempotency-Key", () => {
  it("is separate for each area", async () => {
    const [first, other] = [...new Map(creations.map((route) => [route.tag, route])).values()];
    if (!first || !other) throw new Error("The service has fewer than two areas with creations");
    const key = randomUUID();
    await send(await newRequest(first), key);

    const { headers, status } = await send(await newRequest(other), key);
    expect(status).toBe(201);
    expect(headers.get("idempotency-replayed")).toBeNull();
  });

  it("is ignored by routes that create nothing", async () => {
    const route = allRoutes.find(({ key }) => key === "GET /health") ?? expect.unreachable();
    expect(await send(await newRequest(route), "x".repeat(300))).toMatchObject({ status: 200 });
  });
});
