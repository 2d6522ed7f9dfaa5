import { watch } from "node:fs";

/** How long to wait for more changes: an editor or a branch switch writes many files. */
const settleMs = 50;

/**
 * Calls back after changes in directories, one call at a time: what changes during a call leads to another one.
 *
 * @param directories watched with all that is in them
 * @param onChange does what the change needs; must not reject
 * @returns a function that stops watching
 */
export function watchDirectories(directories: readonly string[], onChange: () => Promise<void>): () => void {
  let timer: NodeJS.Timeout | undefined;
  let isRunning = false;
  let isPending = false;

  async function run(): Promise<void> {
    if (isRunning) {
      isPending = true;
      return;
    }
    isRunning = true;
    do {
      isPending = false;
      await onChange();
    } while (isPending);
    isRunning = false;
  }

  const watchers = directories.map((directory) =>
    watch(directory, { recursive: true }, () => {
      clearTimeout(timer);
      timer = setTimeout(() => void run(), settleMs);
    }),
  );
  return () => {
    clearTimeout(timer);
    for (const watcher of watchers) watcher.close();
  };
}
