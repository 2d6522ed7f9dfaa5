import type { ApiResponse } from "./conformance.ts";

interface Linking {
  readonly headers: Headers;
  /** Of the request. Without it, references stay as they are. */
  readonly target?: string;
}

function resolve(reference: string, { target }: Linking): string {
  if (target === undefined) return reference;
  const { pathname, search } = new URL(reference, `http://host${target}`);
  return pathname + search;
}

export function locationOf(response: Linking): string {
  const location = response.headers.get("location");
  return location === null ? "" : resolve(location, response);
}

export function linksOf(response: Linking): Readonly<Record<string, string>> {
  const { headers } = response;
  const links = headers.get("link") ?? "";
  return Object.fromEntries(
    [...links.matchAll(/<([^>]*)>; rel="(\w+)"(?:, |$)/g)].map(([, target = "", relation = ""]) => [
      relation,
      resolve(target, response),
    ]),
  );
}

/** The size limit of a Lambda response, whose body is a JSON string. */
const LAMBDA_BYTES = 6_291_556;

/** Reads a whole list by its `next` links. @throws Error if a response fails, or is larger than Lambda can send */
export async function followLinks<T>(
  send: (target: string) => Promise<ApiResponse>,
  first: string,
  recordsOf: (body: never) => readonly T[] = (body) => body,
): Promise<{ records: T[]; responses: number }> {
  const records: T[] = [];
  let responses = 0;
  for (let next: string | undefined = first; next !== undefined; responses += 1) {
    const response = await send(next);
    const { status, text } = response;
    if (status !== 200) throw new Error(`GET ${next} returned ${status}`);
    if (Buffer.byteLength(JSON.stringify(text)) > LAMBDA_BYTES) throw new Error(`GET ${next} is too large`);
    records.push(...recordsOf(response.body as never));
    next = linksOf(response).next;
  }
  return { records, responses };
}
