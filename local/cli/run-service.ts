import { fileURLToPath } from "node:url";
import { type LocalRun, runLocally } from "../run.ts";
import { watchDirectories } from "../stack/watch.ts";
import { bannerText } from "./banner.ts";
import { runCommand } from "./command.ts";
import { errorText } from "./errors.ts";
import { readSettings, settingVariables } from "./settings.ts";
import { createTerminal } from "./terminal.ts";

/** A command that runs the service on this machine. */
export interface ServiceCommand {
  readonly name: string;
  readonly description: string;
  /** Directories whose changes are reloaded. If there are any, every request is shown too. */
  readonly watched: readonly URL[];
  /** The module of the CDK app; the project's own by default. */
  readonly app?: URL;
}

/**
 * Runs the service until a signal stops it, then ends the process: with 0 after SIGINT or SIGTERM, with 1 if the
 * service can't start or its database engine ends.
 */
export async function runService({ name, description, ...command }: ServiceCommand): Promise<never> {
  // Lambda's clock is UTC. The functions' threads inherit the time zone of this process.
  process.env.TZ = "UTC";
  // Only the owner may read the files of a run, such as password hashes and secrets.
  process.umask(0o077);
  await runCommand({ name, description, variables: settingVariables, run: () => serve(command) });
  process.exit();
}

type ServiceOptions = Pick<ServiceCommand, "watched" | "app">;

async function serve(options: ServiceOptions): Promise<number> {
  let isStopping = false;
  const stopSignal = nextSignal("SIGINT", "SIGTERM").then(() => {
    isStopping = true;
  });
  try {
    const { run, stopWatching } = await start(options);
    const hasEngineEnded = await Promise.race([
      stopSignal.then(() => false),
      run.engineEnded.then(() => true),
    ]);
    stopWatching();
    print(hasEngineEnded ? "The database engine ended unexpectedly; stopping" : "Stopping");
    await run.close();
    return hasEngineEnded ? 1 : 0;
  } catch (error) {
    // Ctrl-C also reaches the child processes of the start, such as the bundler; their failure is expected.
    if (isStopping) return 0;
    throw error;
  }
}

async function start({ watched, app }: ServiceOptions) {
  const startedAt = performance.now();
  const isWatching = watched.length > 0;
  const settings = readSettings(process.env);
  const terminal = createTerminal(process.stdout, settings.logLevel);
  const run = await runLocally({
    ...settings,
    log: terminal.showLine,
    progress: print,
    canReload: isWatching,
    ...(app === undefined ? {} : { app }),
    ...(isWatching ? { onResponse: terminal.showRequest } : {}),
  });
  // Before the banner, so that a change made as soon as it appears is not missed.
  const stopWatching = watchSources(run, watched);
  const ready = { url: run.url, secrets: run.secrets(), seconds: secondsSince(startedAt) };
  print(bannerText(ready, settings, terminal.bold));
  return { run, stopWatching };
}

function watchSources(run: LocalRun, directories: readonly URL[]): () => void {
  const paths = directories.map((directory) => fileURLToPath(directory));
  return watchDirectories(paths, async () => {
    const startedAt = performance.now();
    try {
      const changed = await run.reload();
      if (changed.length > 0) print(`Reloaded ${changed.join(", ")} in ${secondsSince(startedAt)} s`);
    } catch (error) {
      process.stderr.write(`The code before the change keeps running. ${errorText(error)}\n`);
    }
  });
}

/** Listens once: a second signal has its default effect and ends the process immediately. */
function nextSignal(...signals: readonly NodeJS.Signals[]): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of signals) process.once(signal, () => resolve());
  });
}

function secondsSince(startedAt: number): string {
  return ((performance.now() - startedAt) / 1000).toFixed(1);
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
