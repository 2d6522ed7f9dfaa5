import type { AreaSettings } from "../define-area.ts";

export const settings = {
  filesS3: {
    variable: "FILES_S3",
    default: "none",
    expectation: "must be such as http://key:secret@localhost:4568/files, or none",
    parse: (text) => (text === "none" || /^https?:\/\/[^:]+:[^@]+@[^/]+\/.+$/.test(text) ? text : undefined),
  },
} satisfies AreaSettings;
