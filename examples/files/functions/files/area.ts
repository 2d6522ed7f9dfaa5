import { defineArea, list, recordActions } from "../define-area.ts";
import { routes } from "./routes.ts";
import { settings } from "./settings.ts";

const file = { name: "plan.pdf", type: "application/pdf", size: 48_213 };
const record = { id: 1, ...file, created_at: "2026-05-04T09:30:00.000Z" };

export const area = defineArea(routes, {
  position: 13,
  tags: { files: "Files of up to 5 MB, which only their owner sees" },
  access: "owner",
  tables: { files: { hasIds: true } },
  uses: { files: recordActions },
  // A deletion waits until nobody can upload any more.
  jobs: { discard: { startedBy: "change", uses: {}, timeoutSeconds: 120 } },
  settings,
  limits: { "GET /files": list, "POST /files": { write: 5 }, "DELETE /files/{id}": { write: 8 } },
  fields: {
    "FileRecord.name": "The name with which it is saved",
    type: "The media type of its content",
    size: "How many bytes its content has",
    created_at: "When its record was created",
    upload_url: "For a PUT with this content type and size, which begins within a minute",
    download_url: "For a GET, which begins within a minute",
  },
  examples: {
    FileRecord: record,
    CreateFileRequest: file,
    CreatedFile: { ...record, upload_url: "https://files.example.com/1-1777887000000?…" },
    FileDownload: { download_url: "https://files.example.com/1-1777887000000?…" },
  },
  requests: {
    "GET /files": { query: { limit: 10 } },
    "POST /files": { body: file },
  },
});
