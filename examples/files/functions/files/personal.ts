import type { StoredItem } from "../../lib/dynamodb/query.ts";
import type { AreaPersonal, OperatedStage } from "../define-area.ts";
import { FileStore } from "./store.ts";

/** The bucket of a deployment, or the S3 server of a local run that has one. */
function storeOf({ resource, clientConfig }: OperatedStage): FileStore | undefined {
  const bucket = resource("AWS::S3::Bucket", "FilesOwnBucket") ?? process.env.FILES_S3;
  return bucket ? new FileStore(bucket, clientConfig) : undefined;
}

const fileOf = ({ sk, created_at }: StoredItem) => ({ id: Number(sk), created_at: String(created_at) });

/** The content of a person's files. */
export const personal: AreaPersonal = {
  read: async (record, stage) => ({ content: await storeOf(stage)?.read(fileOf(record)) }),
  erase: async (record, stage) => storeOf(stage)?.remove(fileOf(record)),
};
