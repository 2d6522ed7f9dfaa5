import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A Secrets Manager with one operation, GetSecretValue. */
export interface SecretStore {
  readonly url: string;
  /** A part of the secret's ARN → its value. Values can be changed. */
  readonly values: Record<string, string>;
  close(): Promise<void>;
}

/**
 * Starts a Secrets Manager on loopback.
 *
 * @param values a part of the secret's ARN → comma-separated values
 */
export async function startSecretStore(values: Record<string, string>): Promise<SecretStore> {
  const server = createServer(async (request, response) => {
    const chunks = await request.toArray();
    const { SecretId: id } = JSON.parse(Buffer.concat(chunks).toString()) as { SecretId: string };
    const [, value] = Object.entries(values).find(([part]) => id.includes(part)) ?? [];
    response.writeHead(value === undefined ? 400 : 200, { "content-type": "application/x-amz-json-1.1" });
    response.end(
      JSON.stringify(
        value === undefined ? { __type: "ResourceNotFoundException" } : { ARN: id, SecretString: value },
      ),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    values,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
