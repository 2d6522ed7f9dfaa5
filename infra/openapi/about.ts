import packageFile from "../../package.json" with { type: "json" };

const { title, version, description: summary, license } = packageFile;

export const info = { title, version, summary, license: { name: license, identifier: license } };

export const servers = [
  { url: "http://localhost:8080", description: "The local run" },
  { url: "https://api.example.com", description: "A deployment; its base URL is the stack's output `Url`" },
];

/** Relative to the address of the document (OpenAPI 3.1.1, "Relative References in API URLs"). */
export const ownServer = { url: ".", description: "The address that this document was fetched from" };

export const securitySchemes = {
  bearer: {
    type: "http",
    scheme: "bearer",
    bearerFormat: "JWT",
    description: "The `access_token` from `POST /auth/login`, valid for 30 minutes",
  },
  apiKey: {
    type: "apiKey",
    in: "header",
    name: "X-API-Key",
    description: "A static key of the deployment; the local run prints its own",
  },
};
