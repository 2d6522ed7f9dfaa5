import { spawn } from "node:child_process";
import { once } from "node:events";
import { accessSync, constants } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { createInterface } from "node:readline";
import { DevTools } from "./devtools.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The browser's file. */
    chromium: string;
  }
}

const programs = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/**
 * Finds a browser for the tests of pages.
 *
 * @param environment `CHROMIUM` names one; otherwise the usual names are searched on `PATH`
 * @returns its file, or undefined
 */
export function findChromium(environment: NodeJS.ProcessEnv): string | undefined {
  const folders = (environment.PATH ?? "").split(delimiter);
  const candidates = programs.flatMap((program) => folders.map((folder) => join(folder, program)));
  return [...(environment.CHROMIUM ? [environment.CHROMIUM] : []), ...candidates].find(isExecutable);
}

/** A running browser without a window. */
export interface Browser {
  readonly devTools: DevTools;
  close(): Promise<void>;
}

/**
 * Starts a browser that stores nothing and connects only to the pages it opens.
 *
 * @param file of Chromium or Chrome
 */
export async function startChromium(file: string): Promise<Browser> {
  const profile = await mkdtemp(join(tmpdir(), "resource-api-chromium-"));
  const child = spawn(
    file,
    [
      "--headless=new",
      "--no-sandbox",
      "--disable-gpu",
      "--disable-dev-shm-usage",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      "--no-first-run",
      "--hide-scrollbars",
      "--remote-debugging-port=0",
      `--user-data-dir=${profile}`,
    ],
    { stdio: ["ignore", "ignore", "pipe"] },
  );
  const exited = once(child, "exit");
  const devTools = await DevTools.connect(await endpointOf(createInterface(child.stderr)));
  return {
    devTools,
    async close() {
      // By a signal: a busy browser closes its socket before it responds to `Browser.close`.
      child.kill();
      await exited;
      // The last process may still be writing.
      await rm(profile, { recursive: true, maxRetries: 10, retryDelay: 100 });
    },
  };
}

async function endpointOf(lines: ReturnType<typeof createInterface>): Promise<string> {
  const said: string[] = [];
  for await (const line of lines) {
    const [, url] = /^DevTools listening on (ws:\S+)/.exec(line) ?? [];
    if (url !== undefined) {
      // Keeps reading its output, so that it never blocks.
      lines.resume();
      return url;
    }
    said.push(line);
  }
  throw new Error(`Chromium ended before it could be driven:\n${said.join("\n")}`);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
