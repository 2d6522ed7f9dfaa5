import { json } from "node:stream/consumers";
import { startLoopback } from "../../../local/loopback.ts";

/** Starts a Secrets Manager that knows GetSecretValue. @param values by a part of the ARN; they can be changed */
export async function startSecretStore(values: Record<string, string>) {
  const server = await startLoopback(async (request, response) => {
    const { SecretId: id } = (await json(request)) as { SecretId: string };
    const [, value] = Object.entries(values).find(([part]) => id.includes(part)) ?? [];
    // Node keeps the time for a second, and a test may set it.
    response.setHeader("date", new Date().toUTCString());
    response.writeHead(value === undefined ? 400 : 200, { "content-type": "application/x-amz-json-1.1" });
    const missing = { __type: "ResourceNotFoundException" };
    response.end(JSON.stringify(value === undefined ? missing : { ARN: id, SecretString: value }));
  });
  return { ...server, values };
}
