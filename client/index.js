import createOpenApiClient from "openapi-fetch";

/** See index.d.ts. JavaScript, so that it runs as it is in whatever installs this package. */
export function createClient({ token, apiKey, ...options }) {
  const client = createOpenApiClient(options);
  client.use({
    onRequest({ request }) {
      const bearer = typeof token === "function" ? token() : token;
      if (bearer !== undefined) request.headers.set("authorization", `Bearer ${bearer}`);
      if (apiKey !== undefined) request.headers.set("x-api-key", apiKey);
      return request;
    },
  });
  return client;
}
