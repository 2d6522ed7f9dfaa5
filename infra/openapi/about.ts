import { readFileSync } from "node:fs";

/** Version and licence as the package has them. */
const { version, license } = JSON.parse(
  readFileSync(new URL("../../package.json", import.meta.url), "utf8"),
) as { version: string; license: string };

/** What the document says of the service as a whole. */
export const info = {
  title: "Resource API",
  version,
  summary: "Todos, users, accounts, products, orders, posts and items over HTTP",
  description: readFileSync(new URL("start.md", import.meta.url), "utf8"),
  license: { name: license, identifier: license },
};

export const servers = [
  { url: "http://localhost:8080", description: "The local run" },
  {
    url: "https://{host}",
    description: "A deployment: the stack's output `Url` names it",
    variables: { host: { default: "api.example.com", description: "The host of the deployment" } },
  },
];

/** The areas, in the order in which they are shown. */
export const tags: Readonly<Record<string, string>> = {
  accounts: "Registration, login, and what an account may see",
  products: "The catalog; administrators change it",
  orders: "Orders take stock; their status changes until they are cancelled",
  todos: "Things to do",
  users: "User records, which are not accounts; lists in versions by header",
  posts: "Blog posts, with drafts, tags, views and search",
  items: "Any JSON object, kept as it was sent",
  "api-key": "What needs the static key; the users list in versions by path",
  system: "What the service says of itself",
  demonstration: "Failures on purpose",
};

export const securitySchemes = {
  bearer: {
    type: "http",
    scheme: "bearer",
    bearerFormat: "JWT",
    description: "The `access_token` of `POST /auth/login`, valid for 30 minutes",
  },
  apiKey: {
    type: "apiKey",
    in: "header",
    name: "X-API-Key",
    description: "A static key of the deployment; the local run prints its own",
  },
};
