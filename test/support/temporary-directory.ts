import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Creates a directory that `at` removes: `onTestFinished` in a test and before each, otherwise `afterAll`. */
export function temporaryDirectory(at: (remove: () => void) => void): string {
  const directory = mkdtempSync(join(tmpdir(), "service-test-"));
  at(() => rmSync(directory, { recursive: true }));
  return directory;
}
