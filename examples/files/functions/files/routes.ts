import * as z from "zod/mini";
import { notFound, orNotFound } from "../../lib/domain/errors.ts";
import { entityTag } from "../../lib/http/etag.ts";
import { listResponse } from "../../lib/http/pagination.ts";
import { created, deleted, found, response, routeBuilder } from "../../lib/http/route.ts";
import { type FilesRepository, StoredFile } from "../../lib/repositories/files.ts";
import { byId, ListQuery } from "../../lib/validators/cursor.ts";
import { CreatedFile, CreateFileRequest, FileRecord, FileDownload } from "../../lib/validators/file.ts";
import { recordId } from "../../lib/validators/parameter.ts";
import type { FileStore } from "./store.ts";

interface FilesDependencies {
  readonly files: FilesRepository;
  readonly store: FileStore;
}

const route = routeBuilder<FilesDependencies>({ tag: "files", errorFormat: "detail" });
const path = z.object({ id: recordId("The file's id") });
const errors = { 404: { when: "The caller has no file with this id", example: notFound("File", 7) } };

export const routes = [
  route("GET /files", {
    operationId: "listFiles",
    summary: "List one's files, optionally paginated",
    description: "In id order, also those whose content was not uploaded.",
    request: { query: ListQuery },
    responses: { 200: z.array(FileRecord) },
    handle: async ({ query: { limit, cursor }, target, budget }, { files }) =>
      listResponse(await files.list({ after: cursor, limit }, budget().forPart()), target, byId),
  }),
  route("GET /files/{id}", {
    operationId: "getFile",
    summary: "Get what a file is",
    description: "The file of somebody else is a 404.",
    request: { path },
    responses: { 200: FileRecord },
    errors,
    etag: entityTag,
    handle: async ({ path: { id } }, { files }) => found(await files.get(id), "File", id),
  }),
  route("GET /files/{id}/content", {
    operationId: "downloadFile",
    summary: "Get a link to the content of a file",
    description: "The link's response is a 404 or 403 if it was not uploaded.",
    request: { path },
    responses: { 200: FileDownload },
    errors,
    handle: async ({ path: { id } }, { files, store }) => {
      const file = orNotFound(await files.get(id), "File", id);
      return response(200, { download_url: await store.downloadUrl(file) });
    },
  }),
  route("POST /files", {
    operationId: "createFile",
    summary: "Create a file and get a link for its upload",
    description: "The file belongs to the account that is signed in. A repetition returns the same link.",
    request: { body: CreateFileRequest },
    responses: { 201: CreatedFile },
    etag: entityTag,
    location: ({ id }: FileRecord) => `/files/${id}`,
    handle: async ({ body, idempotency }, { files, store }) => {
      const creation = await files.announce(body, idempotency);
      return created(creation, { ...creation.record, upload_url: await store.uploadUrl(creation.record) });
    },
  }),
  route("DELETE /files/{id}", {
    operationId: "deleteFile",
    summary: "Delete a file",
    description: "A job deletes its content. Its id is not reused.",
    request: { path },
    responses: { 204: z.undefined() },
    errors,
    etag: entityTag,
    handle: async ({ path: { id }, precondition }, { files }) =>
      deleted(await files.remove(id, precondition), "File", id),
  }),
];

/** What the repair checks. */
export const stored = { schema: StoredFile };
