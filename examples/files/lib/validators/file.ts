import * as z from "zod/mini";
import { integer } from "./integer.ts";
import { named } from "./metadata.ts";
import { text } from "./text.ts";

const MAX_BYTES = 5_000_000;

const fields = {
  name: text({ min: 1, max: 255 }),
  type: z.string().check(z.regex(/^[\w.+-]{1,99}\/[\w.+-]{1,99}$/)),
  size: integer({ min: 1, max: MAX_BYTES }),
};

const file = z.object({ id: integer({ min: 1 }), ...fields, created_at: z.string() });
export const FileRecord = named("FileRecord", file);
export type FileRecord = z.output<typeof FileRecord>;

export const CreateFileRequest = named("CreateFileRequest", z.object(fields));
export const CreatedFile = named("CreatedFile", z.extend(file, { upload_url: z.string() }));
export const FileDownload = named("FileDownload", z.object({ download_url: z.string() }));
