import { type FSWatcher, readdirSync, watch } from "node:fs";
import { join } from "node:path";

const debounceMs = 20;

/**
 * Watches directories and their subdirectories. Calls never overlap: changes during a call cause one more.
 *
 * Each directory has its own watcher. Node's recursive `fs.watch` loses a file when another is renamed over
 * it, as Git and many editors do; chokidar 5 loses a folder that is deleted and created again at once.
 *
 * @param onChange receives the paths that changed, maybe of an editor's temporary files; must not reject
 * @returns a function that stops watching
 */
export function watchDirectories(
  directories: readonly string[],
  onChange: (paths: readonly string[]) => Promise<void>,
): () => void {
  let timer: NodeJS.Timeout | undefined;
  let watchers: readonly FSWatcher[] = [];
  const changed = new Set<string>();

  /** Watches the directories that exist now: a new one, and one that replaced another, has no watcher yet. */
  function watchAgain(): void {
    const before = watchers;
    watchers = directories.flatMap((root) => [root, ...subdirectories(root)].flatMap(watchDirectory));
    for (const watcher of before) watcher.close();
  }

  function watchDirectory(directory: string): FSWatcher[] {
    const note = (name: string | null) => {
      changed.add(name === null ? directory : join(directory, name));
      clearTimeout(timer);
      timer = setTimeout(run, debounceMs);
    };
    try {
      // Windows reports the deletion of a watched directory as an error.
      return [watch(directory, (_, name) => note(name)).on("error", () => note(null))];
    } catch (error) {
      // It was just deleted, which its parent reports.
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
      throw error;
    }
  }

  const run = oneAtATime(async () => {
    const paths = [...changed];
    changed.clear();
    watchAgain();
    await onChange(paths);
  });

  watchAgain();
  return () => {
    clearTimeout(timer);
    for (const watcher of watchers) watcher.close();
  };
}

/** @returns what starts the work, or has it done once more if it is running */
export function oneAtATime(work: () => Promise<void>): () => Promise<void> {
  let isRunning = false;
  let isDue = false;
  return async () => {
    isDue = true;
    if (isRunning) return;
    isRunning = true;
    while (isDue) {
      isDue = false;
      await work();
    }
    isRunning = false;
  };
}

function subdirectories(root: string): string[] {
  const entries = readdirSync(root, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map(({ parentPath, name }) => join(parentPath, name));
}
