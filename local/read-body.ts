import type { Readable } from "node:stream";

/** With events, which take less time than iterating. @throws {Error} if the stream ends early */
export async function readBody(stream: Readable): Promise<Buffer>;
export async function readBody(stream: Readable, limit: number): Promise<Buffer | undefined>;
export async function readBody(stream: Readable, limit = Number.POSITIVE_INFINITY) {
  const chunks: Buffer[] = [];
  let size = 0;
  await new Promise<void>((resolve, reject) => {
    stream
      .on("data", (chunk: Buffer) => {
        size += chunk.length;
        if (size <= limit) chunks.push(chunk);
        else chunks.length = 0;
      })
      .on("end", resolve)
      .on("error", reject)
      // A lost connection may end without another event. An error captures a stack, so none is made in vain.
      .on("close", () => {
        if (!stream.readableEnded) reject(new Error("The connection was closed before the end of the body"));
      });
  });
  if (size > limit) return undefined;
  return chunks.length === 1 ? chunks[0] : Buffer.concat(chunks, size);
}
