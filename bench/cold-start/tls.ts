import { once } from "node:events";
import { readFileSync } from "node:fs";
import { request as forward } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";

/** A certificate for localhost, for measurements only. Its key is public, so nothing else may trust it. */
const certificate = new URL("./localhost-certificate.pem", import.meta.url);
const key = new URL("./localhost-key.pem", import.meta.url);

/** A TLS endpoint in front of an HTTP server. */
interface TlsProxy {
  readonly url: string;
  /** The file of its certificate, for `NODE_EXTRA_CA_CERTS`. */
  readonly certificate: string;
  close(): Promise<void>;
}

/** Starts a proxy with which a request costs a client what one to AWS does: a TLS connection. */
export async function startTlsProxy(target: string): Promise<TlsProxy> {
  const options = { cert: readFileSync(certificate), key: readFileSync(key) };
  const server = createServer(options, (request, response) => {
    const { method = "POST", url = "/", headers } = request;
    const outgoing = forward(
      new URL(url, target),
      { method, headers: { ...headers, host: new URL(target).host } },
      (incoming) => {
        response.writeHead(incoming.statusCode ?? 502, incoming.headers);
        incoming.pipe(response);
      },
    );
    outgoing.on("error", (error) => response.destroy(error));
    request.pipe(outgoing);
  });
  await once(server.listen(0, "localhost"), "listening");
  return {
    url: `https://localhost:${(server.address() as AddressInfo).port}`,
    certificate: fileURLToPath(certificate),
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}
