import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import * as z from "zod/mini";
import { type ContentEncoding, negotiateEncoding } from "../../lib/http/response.ts";

const gunzipAsync = promisify(gunzip);

/** The list of documentation files, which the build writes beside them. */
export const FileList = z.record(z.string(), z.object({ type: z.string(), cacheControl: z.string() }));
export type FileList = z.output<typeof FileList>;

export const FILE_LIST = "files.json";

export const encodingSuffix = { br: ".br", gzip: ".gz" } as const satisfies Record<ContentEncoding, string>;

/** The documentation files that the build has put beside the function's code, compressed. */
export class Documentation {
  readonly #directory: string;
  #list: Promise<FileList> | undefined;

  constructor(directory: string) {
    this.#directory = directory;
  }

  /** Reads a file of the list in the encoding that the client prefers; undefined if it is not on the list. */
  async file(name: string, acceptEncoding: string | undefined) {
    this.#list ??= readFile(join(this.#directory, FILE_LIST), "utf8").then((text) =>
      FileList.parse(JSON.parse(text)),
    );
    const list = await this.#list;
    const file = Object.hasOwn(list, name) ? list[name] : undefined;
    if (file === undefined) return undefined;
    const encoding = negotiateEncoding(acceptEncoding);
    const compressed = await readFile(join(this.#directory, name + encodingSuffix[encoding ?? "gzip"]));
    const headers: Readonly<Record<string, string>> = {
      "content-type": file.type,
      "cache-control": file.cacheControl,
      vary: "accept-encoding",
      "x-content-type-options": "nosniff",
      ...(encoding && { "content-encoding": encoding }),
    };
    const body: Uint8Array = encoding === undefined ? await gunzipAsync(compressed) : compressed;
    return { body, headers };
  }
}
