import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { type LocalRun, runLocally } from "../run.ts";
import { watchDirectories } from "../stack/watch.ts";
import { StartError, UsageError } from "../start-error.ts";
import { bannerText } from "./banner.ts";
import { readSettings, settingsHelp } from "./settings.ts";
import { createTerminal } from "./terminal.ts";

/** A way to run the service on this machine. */
export interface Command {
  /** How it is called, for `--help`. */
  readonly name: string;
  /** What it does, in a sentence. */
  readonly summary: string;
  /** Directories whose changes are reloaded; if there are any, every request is shown as well. */
  readonly watched: readonly URL[];
  /** The module of the CDK app, if not the project's. */
  readonly app?: URL;
}

/**
 * Runs the service until a signal stops it, and ends the process: with 0 after SIGINT or SIGTERM, with 1 if the
 * service can't be started or its engine ends, with 2 if it was called wrongly.
 */
export async function runCommand(command: Command): Promise<never> {
  // Lambda's clock is UTC. The functions' threads have the time zone of this process.
  process.env.TZ = "UTC";
  let isStopping = false;
  const stopSignal = signalled("SIGINT", "SIGTERM").then(() => {
    isStopping = true;
  });
  try {
    const { values } = readArguments();
    if (values.help) {
      say(
        `${command.name}: ${command.summary}\n\nEnvironment variables, with their defaults:\n${settingsHelp}`,
      );
      process.exit(0);
    }
    const { run, stopWatching } = await start(command);
    const hasEngineEnded = await Promise.race([
      stopSignal.then(() => false),
      run.engineEnded.then(() => true),
    ]);
    stopWatching();
    say(hasEngineEnded ? "The database engine has ended by itself; stopping" : "Stopping");
    await run.close();
    process.exit(hasEngineEnded ? 1 : 0);
  } catch (error) {
    // Ctrl-C also reaches what the start itself has started, such as the bundler: that is no failure to show.
    if (isStopping) process.exit(0);
    process.stderr.write(`${describe(error)}\n`);
    process.exit(error instanceof UsageError ? 2 : 1);
  }
}

function readArguments() {
  try {
    return parseArgs({ options: { help: { type: "boolean", short: "h", default: false } } });
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message : error}. See --help.`);
  }
}

async function start({ watched, app }: Command) {
  const started = performance.now();
  const isWatching = watched.length > 0;
  const settings = readSettings(process.env);
  const terminal = createTerminal(process.stdout, settings.logLevel);
  const run = await runLocally({
    ...settings,
    log: terminal.showLine,
    progress: say,
    canReload: isWatching,
    ...(app === undefined ? {} : { app }),
    ...(isWatching ? { onResponse: terminal.showRequest } : {}),
  });
  // Before it is called ready, so that no change made on the strength of that is missed.
  const stopWatching = watchSources(run, watched);
  const ready = { url: run.url, secrets: run.secrets(), seconds: seconds(started) };
  say(bannerText(ready, settings, terminal.strong));
  return { run, stopWatching };
}

function watchSources(run: LocalRun, directories: readonly URL[]): () => void {
  const paths = directories.map((directory) => fileURLToPath(directory));
  return watchDirectories(paths, async () => {
    const started = performance.now();
    try {
      const changed = await run.reload();
      if (changed.length > 0) say(`Reloaded ${changed.join(", ")} in ${seconds(started)} s`);
    } catch (error) {
      process.stderr.write(`The code before the change keeps serving. ${describe(error)}\n`);
    }
  });
}

/** After the first signal the default applies again: a second one ends the process at once. */
function signalled(...signals: readonly NodeJS.Signals[]): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of signals) process.once(signal, () => resolve());
  });
}

function describe(error: unknown): string {
  if (error instanceof StartError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

function seconds(since: number): string {
  return ((performance.now() - since) / 1000).toFixed(1);
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
