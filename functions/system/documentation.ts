import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import * as z from "zod";
import { type ContentEncoding, negotiateEncoding } from "../../lib/http/compression.ts";

const uncompressed = promisify(gunzip);

/** The list of a deployment's documentation files, which the build writes beside them. */
export const FileList = z.record(z.string(), z.object({ type: z.string(), cacheControl: z.string() }));
export type FileList = z.output<typeof FileList>;

/** The name of the list in the documentation's folder. */
export const FILE_LIST = "files.json";

/** How a file's name goes on in each coding that it is kept in. */
export const codingSuffix = { br: ".br", gzip: ".gz" } as const satisfies Record<ContentEncoding, string>;

/** A file as it is sent. */
export interface DocumentationFile {
  readonly body: Uint8Array;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * The documentation that the build has put beside the function's code (infra/build/documentation.ts). Its files are kept
 * compressed and sent as they are; no name from a request ever becomes a path unless it is on the list.
 */
export class Documentation {
  readonly #directory: string;
  #list: Promise<FileList> | undefined;

  /**
   * @param directory where the build has put the files
   */
  constructor(directory: string) {
    this.#directory = directory;
  }

  /**
   * Reads a file in the coding that suits a client.
   *
   * @param name as the list has it
   * @param acceptEncoding the request's header of that name
   * @returns undefined when there is no such file
   */
  async file(name: string, acceptEncoding: string | undefined): Promise<DocumentationFile | undefined> {
    this.#list ??= readFile(join(this.#directory, FILE_LIST), "utf8").then((text) =>
      FileList.parse(JSON.parse(text)),
    );
    const list = await this.#list;
    const entry = Object.hasOwn(list, name) ? list[name] : undefined;
    if (entry === undefined) return undefined;
    const coding = negotiateEncoding(acceptEncoding);
    const kept = await readFile(join(this.#directory, name + codingSuffix[coding ?? "gzip"]));
    return {
      body: coding === undefined ? await uncompressed(kept) : kept,
      headers: {
        "content-type": entry.type,
        "cache-control": entry.cacheControl,
        vary: "accept-encoding",
        "x-content-type-options": "nosniff",
        ...(coding && { "content-encoding": coding }),
      },
    };
  }
}
