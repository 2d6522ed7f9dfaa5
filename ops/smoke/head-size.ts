type Send = (request: {
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
}) => Promise<{ readonly status: number }>;

/**
 * Finds the maximum size of a request's head (request line and headers) between 4,000 and 20,000 bytes.
 *
 * @param host the host that `send` connects to
 * @param target the path of a GET route that succeeds
 */
export async function findMaxHeadSize(send: Send, host: string, target: string): Promise<string> {
  let [accepted, refused] = [4_000, 20_000];
  let refusal = 0;
  while (refused - accepted > 1) {
    const size = Math.floor((accepted + refused) / 2);
    const { status } = await sendHead(send, host, target, size);
    if (status === 200) {
      accepted = size;
    } else {
      refused = size;
      refusal = status;
    }
  }
  if (refusal === 0) return `${refused - 1} bytes and more are accepted`;
  return `up to ${accepted} bytes are accepted, more is ${refusal}`;
}

/** The size includes the request line and every header, each with its line break. */
function sendHead(send: Send, host: string, target: string, size: number) {
  const headers = { host, connection: "keep-alive", "x-padding": "" };
  const lines = [
    `GET ${target} HTTP/1.1`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ];
  const unpadded = lines.reduce((sum, line) => sum + line.length + 2, 0);
  return send({ target, headers: { ...headers, "x-padding": "x".repeat(size - unpadded) } });
}
