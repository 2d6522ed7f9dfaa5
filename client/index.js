import createOpenApiClient from "openapi-fetch";

/** See index.d.ts. Plain JavaScript, so that it runs without a build step. */
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
