import { type FSWatcher, lstatSync, readdirSync, watch } from "node:fs";
import { join, sep } from "node:path";

/** How long to wait for more changes: a branch switch writes many files. */
const debounceMs = 50;

/**
 * Watches directories and their subdirectories. Calls never overlap: changes during a call cause one more.
 *
 * @param onChange receives the paths that changed, which may be those of an editor's temporary files; must not reject
 * @returns a function that stops watching
 */
export function watchDirectories(
  directories: readonly string[],
  onChange: (paths: readonly string[]) => Promise<void>,
): () => void {
  let timer: NodeJS.Timeout | undefined;
  let isRunning = false;
  const changed = new Set<string>();

  async function run(): Promise<void> {
    if (isRunning) return;
    isRunning = true;
    while (changed.size > 0) {
      const paths = [...changed];
      changed.clear();
      await onChange(paths);
    }
    isRunning = false;
  }

  const watchers = directories.map((directory) =>
    watchTree(directory, (path) => {
      changed.add(path);
      clearTimeout(timer);
      timer = setTimeout(() => void run(), debounceMs);
    }),
  );
  return () => {
    clearTimeout(timer);
    for (const close of watchers) close();
  };
}

/**
 * Watches each directory of a tree on its own. Node's recursive `fs.watch` watches each file on Linux, and loses a file
 * permanently when another one is renamed over it, which is how Git, `sed -i` and many editors save. chokidar 5 loses a folder
 * that is deleted and created again at once.
 *
 * @returns a function that stops watching
 */
function watchTree(root: string, onChange: (path: string) => void): () => void {
  const watchers = new Map<string, FSWatcher>();

  function add(directory: string): void {
    // Watched before it is read, so that no subdirectory is missed that appears in between.
    const watcher = watch(directory, (event, name) => {
      // The entry was created, deleted or replaced. A replaced directory has a new inode, which is not watched yet.
      const path = name === null ? directory : join(directory, name);
      if (event === "rename" && name !== null) replace(path);
      onChange(path);
    });
    // Windows reports the deletion of a watched directory as an error; its parent reports it too.
    watcher.on("error", () => onChange(directory));
    watchers.set(directory, watcher);
    for (const entry of readdirSync(directory, { withFileTypes: true }))
      if (entry.isDirectory()) replace(join(directory, entry.name));
  }

  function replace(path: string): void {
    for (const [watched, watcher] of watchers) {
      if (watched !== path && !watched.startsWith(path + sep)) continue;
      watcher.close();
      watchers.delete(watched);
    }
    try {
      if (lstatSync(path).isDirectory()) add(path);
    } catch (error) {
      // It was deleted, or is deleted just now.
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    }
  }

  add(root);
  return () => {
    for (const watcher of watchers.values()) watcher.close();
  };
}

/**
 * Watches files of a directory by name, but not its subdirectories.
 *
 * @returns a function that stops watching
 */
export function watchFiles(
  directory: string,
  names: readonly string[],
  onChange: (name: string) => void,
): () => void {
  const watcher = watch(directory, (_, name) => {
    if (name !== null && names.includes(name)) onChange(name);
  });
  return () => watcher.close();
}
