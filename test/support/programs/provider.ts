import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { exportJWK, generateKeyPair } from "jose";
import { onTestFinished } from "vitest";
import { startProgram } from "./started.ts";

const library = new URL("../../tools/node_modules/oidc-provider/lib/index.js", import.meta.url).href;
const start = fileURLToPath(new URL("../../../local/start.ts", import.meta.url));
const audience = "https://api.example.com";

/** An identity provider on this machine whose clients are ada, bob, and root, an administrator. */
async function startProvider() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { privateKey } = await generateKeyPair("RS256", { extractable: true });
  const { default: Provider } = await import(library);
  const provider = new Provider(url, {
    clients: ["ada", "bob", "root"].map((id) => ({
      ...{ client_id: id, client_secret: id, grant_types: ["client_credentials"] },
      ...{ response_types: [], redirect_uris: [] },
    })),
    jwks: { keys: [{ ...(await exportJWK(privateKey)), kid: "first", use: "sig", alg: "RS256" }] },
    cookies: { keys: ["tests"] },
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: () => ({ scope: "", audience, accessTokenFormat: "jwt", accessTokenTTL: 600 }),
      },
    },
    extraTokenClaims: (_: unknown, { clientId }: { readonly clientId: string }) => ({
      nick: clientId.toUpperCase(),
      realm_access: { roles: clientId === "root" ? ["unknown", "admin"] : ["unknown"] },
    }),
  });
  server.on("request", provider.callback());
  return {
    url,
    tokenOf: async (client: string) => {
      const response = await fetch(`${url}/token`, {
        method: "POST",
        headers: { authorization: `Basic ${btoa(`${client}:${client}`)}` },
        body: new URLSearchParams({ grant_type: "client_credentials", resource: audience }),
      });
      return ((await response.json()) as { readonly access_token: string }).access_token;
    },
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** `ISSUER=… npm start`, with a real provider and without a login of its own, until the test has finished. */
export async function startWithProvider() {
  const provider = await startProvider();
  onTestFinished(provider.close);
  const parts = `url:${provider.url},audience:${audience},name:nick,role:realm_access.roles,login:closed`;
  const service = startProgram(start, {
    ISSUER: parts,
    ACCESS: "others:owner,accounts.create:admin",
    DATA_DIR: "memory",
    PORT: "0",
    SEED: "none",
    // One that starts during an outage has no keys.
    MAX_ENVIRONMENTS: "1",
  });
  onTestFinished(async () => void (await service.end("SIGTERM")));
  return { provider, url: await service.ready() };
}
