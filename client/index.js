// Plain JavaScript, so that Node and browsers run it without a build step. See index.d.ts.
import createOpenApiClient from "openapi-fetch";

const codeByStatus = {
  400: "InvalidArgument",
  401: "Unauthorized",
  403: "Forbidden",
  404: "NotFound",
  405: "MethodNotAllowed",
  408: "RequestTimeout",
  409: "Conflict",
  412: "PreconditionFailed",
  413: "ContentTooLarge",
  415: "UnsupportedMediaType",
  422: "ValidationError",
  429: "TooManyRequests",
  431: "HeadersTooLarge",
  500: "InternalServerError",
  502: "BadGateway",
  503: "ServiceUnavailable",
  504: "GatewayTimeout",
};

const MAX_ATTEMPTS = 4;
const MAX_WAIT_SECONDS = 60;

export class ApiError extends Error {
  constructor(response, body) {
    const { status, headers } = response;
    const code = codeByStatus[status] ?? "Other";
    const text = body?.message ?? body?.detail ?? body?.error;
    super(typeof text === "string" ? text : `${status} ${code}`);
    this.name = "ApiError";
    this.status = status;
    this.code = code;
    this.fields = fieldsOf(body);
    this.retryAfter = secondsOf(headers.get("retry-after"));
    this.requestId = headers.get("x-request-id") ?? undefined;
  }
}

export function createClient({ baseUrl, token, apiKey, fetch, wait = waitWithJitter }) {
  /** Failures without a response. Others, such as a body that is no JSON, are the program's. */
  const lost = new WeakSet();
  const lose = (failure) => {
    lost.add(failure);
    throw failure;
  };
  /** The URLs of responses that know none, such as those of mocks. */
  const requested = new WeakMap();
  const client = createOpenApiClient({
    baseUrl,
    async fetch(request) {
      // Looked up late, for mocks that are installed after the client was created.
      const response = await (fetch ?? globalThis.fetch)(request).catch(lose);
      requested.set(response, request.url);
      return response;
    },
  });
  client.use({
    async onRequest({ request }) {
      const bearer = await (typeof token === "function" ? token() : token);
      if (bearer !== undefined) request.headers.set("authorization", `Bearer ${bearer}`);
      if (apiKey !== undefined) request.headers.set("x-api-key", apiKey);
      return request;
    },
  });

  const send = (method) => async (path, init) => {
    // With "stream", openapi-fetch does not read the body of a success, so that its content type decides how.
    const { error, response } = await client[method](path, { ...init, parseAs: "stream" });
    if (!response.ok) return { error: new ApiError(response, error), response };
    const isJson = /\bjson\b/.test(response.headers.get("content-type") ?? "");
    const read = async () => {
      const text = await response.text();
      return text === "" ? undefined : isJson ? JSON.parse(text) : text;
    };
    return { data: await read().catch(lose), response };
  };
  const api = {
    GET: send("GET"),
    POST: send("POST"),
    PUT: send("PUT"),
    PATCH: send("PATCH"),
    DELETE: send("DELETE"),
  };

  async function* paginate(path, init) {
    const base = new URL(baseUrl, globalThis.location?.href);
    let result = await api.GET(path, init);
    for (;;) {
      const { data, error, response } = result;
      if (error) throw error;
      yield* Array.isArray(data) ? data : (data.items ?? data.users);
      const url = nextPage(response, response.url || requested.get(response), base.origin);
      if (url === undefined) return;
      const { params, ...others } = init ?? {};
      const next = { ...others, baseUrl: url.origin, params: { header: params?.header } };
      result = await api.GET(url.pathname + url.search, next);
    }
  }

  async function idempotent(path, init) {
    const request = withKey(init);
    for (let attempt = 1; attempt < MAX_ATTEMPTS; attempt += 1) {
      let seconds = 2 ** (attempt - 1);
      try {
        const result = await api.POST(path, request);
        if (!isTemporary(result.error)) return result;
        seconds = result.error.retryAfter ?? seconds;
      } catch (failure) {
        // The service may have done its work.
        if (request.signal?.aborted || !lost.has(failure)) throw failure;
      }
      request.signal?.throwIfAborted();
      await wait(seconds, request.signal);
    }
    return api.POST(path, request);
  }

  return { ...api, paginate, idempotent };
}

/** @param header seconds, or a date (RFC 9110, 10.2.3) */
function secondsOf(header) {
  if (/^\d+$/.test(header)) return Number(header);
  const date = header === null ? Number.NaN : Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - Date.now()) / 1_000));
}

/** Of the area's format, or of problem details. */
function fieldsOf(body) {
  const fields = body?.details ?? body?.errors;
  if (Array.isArray(fields)) return fields;
  return body?.field === undefined ? [] : [{ field: body.field, message: body.message, type: "conflict" }];
}

/** Whether the service may have done its work, or can do it soon. */
function isTemporary(error) {
  return [502, 503, 504].includes(error?.status) && !(error.retryAfter > MAX_WAIT_SECONDS);
}

/**
 * @param url that the response is from: links are relative, so that they lead through a proxy with a path prefix
 * @returns the URL of the next page; undefined if there is none
 * @throws Error if it is on another origin, which must not get the credentials
 */
function nextPage(response, url, origin) {
  const link = nextLink(response);
  if (link === undefined) return undefined;
  const next = new URL(link, url);
  if (next.origin !== origin) throw new Error(`The next page is on another origin: ${next.origin}`);
  return next;
}

/** @returns the target of `rel="next"` in the `Link` header (RFC 8288); undefined if there is none */
function nextLink({ headers, type }) {
  if (type === "cors" && !headers.has("x-request-id"))
    throw new Error("This page may not read Link: set browserClients for the service (docs/settings.md)");
  const links = [...(headers.get("link") ?? "").matchAll(/<([^>]*)>([^<]*)/g)];
  return links.find(([, , parameters]) =>
    /;\s*rel\s*=\s*("([^"]*\s)?next[\s"]|next\b)/i.test(parameters),
  )?.[1];
}

/** The options of a request with an `Idempotency-Key`: theirs, or a new one. */
function withKey(init) {
  const given = init?.params?.header;
  const header = { ...given, "idempotency-key": given?.["idempotency-key"] ?? randomKey() };
  return { ...init, params: { ...init?.params, header } };
}

/** crypto.randomUUID does not exist on pages without https. */
function randomKey() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("");
}

/** Waits up to a quarter longer, so that many clients do not come back at the same moment. */
function waitWithJitter(seconds, signal) {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const end = () => {
      signal?.removeEventListener("abort", stop);
      resolve();
    };
    const timer = setTimeout(end, 1_000 * seconds * (1 + Math.random() / 4));
    signal?.addEventListener("abort", stop, { once: true });
  });
}
