import {
  DeleteObjectCommand,
  GetObjectCommand,
  NoSuchKey,
  PutObjectCommand,
  S3Client,
  type S3ClientConfig,
} from "@aws-sdk/client-s3";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import { requestClientConfig } from "../../lib/aws.ts";
import { setting } from "../../lib/settings.ts";
import type { FileRecord } from "../../lib/validators/file.ts";

/** How long an upload may begin after the creation of its record, and a download after its link. */
export const LINK_SECONDS = 60;

/** Where the content of files is: one object for each record. */
export class FileStore {
  readonly #client: S3Client;
  readonly #bucket: string;

  /** @param bucket the name of a bucket, or of another S3 server, as `http://<key>:<secret>@<host>/<bucket>` */
  constructor(bucket: string, config: S3ClientConfig) {
    const other = URL.canParse(bucket) ? new URL(bucket) : undefined;
    this.#client = new S3Client({
      ...config,
      // A checksum in a link would be that of an empty file.
      requestChecksumCalculation: "WHEN_REQUIRED",
      ...(other && {
        endpoint: other.origin,
        forcePathStyle: true,
        credentials: { accessKeyId: other.username, secretAccessKey: other.password },
      }),
    });
    this.#bucket = other?.pathname.slice(1) ?? bucket;
  }

  /** A link for a PUT of this type and with so many bytes. It is the same when the creation is repeated. */
  uploadUrl(file: FileRecord): Promise<string> {
    const content = { ContentType: file.type, ContentLength: file.size };
    // S3 refuses a request whose headers are not those that were signed.
    const signableHeaders = new Set(["content-length", "content-type", "host"]);
    const signingDate = new Date(file.created_at);
    const options = { expiresIn: LINK_SECONDS, signableHeaders, signingDate };
    return getSignedUrl(this.#client, new PutObjectCommand({ ...this.#objectOf(file), ...content }), options);
  }

  /** A link for a GET, which browsers save as a file. */
  downloadUrl(file: FileRecord): Promise<string> {
    // Headers are ASCII.
    const name = file.name.replaceAll(/[^\w. -]/g, "_");
    const ResponseContentDisposition = `attachment; filename="${name}"`;
    const command = new GetObjectCommand({ ...this.#objectOf(file), ResponseContentDisposition });
    return getSignedUrl(this.#client, command, { expiresIn: LINK_SECONDS });
  }

  /** @returns the content in base64; undefined if it was not uploaded */
  async read(file: Pick<FileRecord, "id" | "created_at">): Promise<string | undefined> {
    try {
      const { Body } = await this.#client.send(new GetObjectCommand(this.#objectOf(file)));
      return await Body?.transformToString("base64");
    } catch (error) {
      if (error instanceof NoSuchKey) return undefined;
      throw error;
    }
  }

  /** Also succeeds if there is no object. */
  async remove(file: Pick<FileRecord, "id" | "created_at">): Promise<void> {
    await this.#client.send(new DeleteObjectCommand(this.#objectOf(file)));
  }

  /** Ids can be given again after a table was restored. */
  #objectOf({ id, created_at }: Pick<FileRecord, "id" | "created_at">) {
    return { Bucket: this.#bucket, Key: `${id}-${Date.parse(created_at)}` };
  }
}

/** The store of the functions: the stage's bucket, or that of the setting `filesS3`. */
export function openStore(): FileStore {
  const other = setting("FILES_S3");
  return new FileStore(other === "none" ? setting("FILES_BUCKET") : other, requestClientConfig);
}
