import { existsSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { runCommand } from "../../cli/command.ts";
import { errorText } from "../../cli/errors.ts";
import { progress } from "../../cli/progress.ts";
import { foreignRequest } from "../api-gateway/foreign.ts";
import { checkUnused } from "../database/lock.ts";
import { checkAddress } from "../listen.ts";
import type { LocalRun } from "../run.ts";
import { createTypeCheck } from "../stack/type-check.ts";
import { oneAtATime, watchDirectories } from "../stack/watch.ts";
import { bannerText } from "./banner.ts";
import { checkSettings, loadAreaSettings, readSettings } from "./settings.ts";
import { createTerminal } from "./terminal.ts";

const project = fileURLToPath(new URL("../..", import.meta.url));

interface ServiceCommand {
  /** Directories whose changes are reloaded, as `npm run dev` does; by default none, as in `npm start`. */
  readonly watched?: readonly string[] | undefined;
  /** The module of the CDK app; by default the project's own, whose types are checked after each reload. */
  readonly app?: URL;
  readonly forFrontEnd?: boolean;
  readonly port?: string | undefined;
}

/** Runs the service until a signal, then exits: with 1 if it can't start or its engine ended, else 0. */
export async function runService(command: ServiceCommand = {}): Promise<never> {
  // Lambda's clock is UTC. The functions' threads inherit the time zone of this process.
  process.env.TZ = "UTC";
  process.umask(0o077);
  await runCommand({
    name: command.watched ? "npm run dev" : "npm start",
    description: [
      "Runs the service on this machine, from the template and bundles that a deployment uploads.",
      ...(command.watched ? ["Reloads changes in functions/, lib/ and infra/, and shows type errors."] : []),
      "Its settings are environment variables (docs/settings.md).",
    ].join("\n"),
    options: {
      port: { type: "string", placeholder: "number", description: "instead of the variable PORT" },
      "front-end": {
        type: "boolean",
        description: "for a front end on another origin: sets CORS_BROWSER_CLIENTS=1 and SEED=demo",
      },
      inspect: {
        type: "boolean",
        description: "for breakpoints: a debugger may attach at port 9229, or =<port>, and nothing times out",
      },
    },
    run: ({ "front-end": forFrontEnd, port }) => serve({ ...command, forFrontEnd, port }),
  });
  process.exit();
}

async function serve(command: ServiceCommand): Promise<number> {
  let isStopping = false;
  const stopSignal = stopRequest().then(() => {
    isStopping = true;
  });
  try {
    const { run, stopWatching } = await start(command);
    const hasEngineEnded = await Promise.race([
      stopSignal.then(() => false),
      run.engineEnded.then(() => true),
    ]);
    stopWatching();
    if (!hasEngineEnded) print("Stopping");
    else progress("The database engine ended unexpectedly, so the service stops too.");
    await run.close();
    return hasEngineEnded ? 1 : 0;
  } catch (error) {
    // Ctrl-C also reaches the child processes of the start, such as the bundler; their failure is expected.
    if (isStopping) return 0;
    throw error;
  }
}

async function start({ watched, app, forFrontEnd, port }: ServiceCommand) {
  const startedAt = performance.now();
  const areaSettings = await loadAreaSettings();
  const preset = forFrontEnd ? { CORS_BROWSER_CLIENTS: "1", SEED: "demo" } : {};
  const settings = readSettings({ ...preset, ...process.env, ...(port && { PORT: port }) }, areaSettings);
  // Checked first: synthesis takes seconds, and a wrong setting must not create anything. A run of the same
  // data usually has the port too, and its message says how to stop it.
  checkUnused(resolve(settings.dataDirectory));
  await checkAddress(settings);
  await checkSettings(settings, areaSettings);
  // Loading it takes longer than these checks.
  const { runLocally } = await import("../run.ts");
  const terminal = createTerminal(process.stdout, settings.logLevel, settings.isJsonLog);
  const devView = watched ? new (await import("../dev-view/dev-view.ts")).DevView() : undefined;
  const run = await runLocally({
    ...settings,
    log(line) {
      terminal.showLine(line);
      devView?.addLine(line);
    },
    onStep: (text, milliseconds) => print(`${text} in ${formatSeconds(milliseconds)} s`),
    ...(app === undefined ? {} : { app }),
    ...(devView && {
      onResponse(served) {
        terminal.showRequest(served);
        devView.addRequest(served);
      },
    }),
    intercept(request, response) {
      const refusal = foreignRequest(request, {
        host: settings.host,
        origins: settings.stageSettings.origins,
        address: settings.stageSettings.address,
      });
      if (refusal === undefined) return devView?.intercept(request, response) ?? false;
      terminal.showLine({ source: "gateway", text: refusal });
      response.writeHead(403, { "content-type": "application/json", connection: "close" });
      response.end(JSON.stringify({ message: refusal }));
      return true;
    },
  });
  devView?.open(run);
  // Before the banner, so that a change made as soon as it appears is not missed.
  const stopSources = watched && watchSources(run, watched, app === undefined);
  const stopWatching = () => {
    stopSources?.();
    // Its pages would keep the gateway from closing.
    devView?.close();
  };
  const ready = {
    url: run.url,
    ...(devView && { devViewPath: devView.path }),
    secrets: run.secrets(),
    seconds: formatSeconds(performance.now() - startedAt),
  };
  const { leftOut } = run.model();
  if (leftOut.length > 0) print(`Not in the local run: ${leftOut.join(", ")}`);
  print(bannerText(ready, settings, terminal.bold));
  return { run, stopWatching };
}

/** Serves changed functions at once. The stack is synthesized behind them: only it tells what else has changed. */
function watchSources(run: LocalRun, watched: readonly string[], checksTypes: boolean): () => void {
  const config = join(project, "local", "stack", "reloaded.tsconfig.json");
  const typeCheck = checksTypes ? createTypeCheck(project, config, progress) : undefined;
  // So that the first change is checked as quickly as the others.
  typeCheck?.check();
  let changedAt = 0;
  let isServed = false;
  const inSeconds = () => `${formatSeconds(performance.now() - changedAt)} s`;
  const synthesize = oneAtATime(async () => {
    try {
      const changes = await run.reload();
      if (changes === undefined || (isServed && changes.length === 0)) return;
      print(`Synthesized the stack after ${inSeconds()}: ${changes.join(", ") || "nothing has changed"}`);
    } catch (error) {
      progress(`The stack before the change keeps running. ${errorText(error)}`);
    }
  });
  const sources = watched.map((directory) => resolve(project, directory));
  const stopWatching = watchDirectories(sources, async (paths) => {
    changedAt = performance.now();
    print(`Changed ${nameOf(paths)}, reloading`);
    try {
      const files = paths.map((path) => relative(project, path).replaceAll("\\", "/"));
      isServed = false;
      for await (const name of run.rebundle(files)) {
        isServed = true;
        print(`Reloaded ${name} in ${inSeconds()}`);
      }
      void synthesize();
    } catch (error) {
      progress(`The code before the change keeps running. ${errorText(error)}`);
    }
    // After the code that somebody waits for.
    typeCheck?.check();
  });
  return () => {
    stopWatching();
    typeCheck?.stop();
  };
}

/** The first of some changed files, if one is left. */
function nameOf(paths: readonly string[]): string {
  const path = paths.find((each) => existsSync(resolve(project, each))) ?? paths[0] ?? "";
  return relative(project, resolve(project, path));
}

/**
 * Resolves at the first signal to stop, or when nobody reads the output any more. Several programs may pass a signal
 * on, so those within a second are the same. Later ones end the process at once.
 */
function stopRequest(): Promise<void> {
  return new Promise((resolve) => {
    const stop = () => {
      resolve();
      setTimeout(() => {
        for (const signal of stopSignals) process.off(signal, stop);
      }, 1_000).unref();
    };
    for (const signal of stopSignals) process.on(signal, stop);
    for (const stream of [process.stdout, process.stderr]) stream.on("error", stop);
  });
}

const stopSignals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

function formatSeconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(1);
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
