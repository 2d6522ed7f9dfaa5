import { watch } from "node:fs";

/** How long to wait for more changes: a branch switch writes many files. */
const debounceMs = 50;

/**
 * Watches directories recursively. Calls never overlap: a change during a call causes one more.
 *
 * @param onChange must not reject
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
      timer = setTimeout(() => void run(), debounceMs);
    }),
  );
  return () => {
    clearTimeout(timer);
    for (const watcher of watchers) watcher.close();
  };
}
