import { once } from "node:events";
import { readFileSync } from "node:fs";
import { SourceMap } from "node:module";
import { fileURLToPath } from "node:url";

/** Those of the events below. */
interface Params {
  readonly sessionId: string;
  readonly message: string;
  readonly scriptId: string;
  readonly url: string;
  readonly sourceMapURL: string;
  readonly callFrames: readonly [{ readonly location: Position & { readonly scriptId: string } }];
}

interface Position {
  readonly lineNumber: number;
  readonly columnNumber: number;
}

/**
 * Attaches to a process and its threads as VS Code does, and sets a breakpoint in each bundle that was made from a
 * source file.
 *
 * @param line counted from 1
 * @returns where the first thread pauses, after breakpoints are set
 */
export async function breakAt(debuggerUrl: string, file: string, line: number) {
  const bundles = new Map<string, SourceMap>();
  const breakpoint = Promise.withResolvers<void>();
  const pause = Promise.withResolvers<{ file: string; line: number; resume(): void }>();
  const message = (method: string, params: object = {}) => JSON.stringify({ id: 1, method, params });
  const sendToThread = (sessionId: string, method: string, params?: object) =>
    socket.send(message("NodeWorker.sendMessageToWorker", { sessionId, message: message(method, params) }));
  const handlers: Readonly<Record<string, (params: Params, thread: string) => void>> = {
    "NodeWorker.attachedToWorker": ({ sessionId }) => sendToThread(sessionId, "Debugger.enable"),
    "NodeWorker.receivedMessageFromWorker": (params) => receive(params.message, params.sessionId),
    "Debugger.scriptParsed": ({ scriptId, url, sourceMapURL }, thread) => {
      const map = url.endsWith("/index.mjs") ? readMap(new URL(sourceMapURL, url)) : undefined;
      if (!map?.payload.sources.includes(file)) return;
      bundles.set(scriptId, map);
      const location = { scriptId, ...positionOf(map, file, line) };
      sendToThread(thread, "Debugger.setBreakpoint", { location });
      breakpoint.resolve();
    },
    "Debugger.paused": ({ callFrames: [{ location }] }, thread) => {
      const origin = bundles.get(location.scriptId)?.findEntry(location.lineNumber, location.columnNumber);
      if (!origin || !("originalSource" in origin)) throw new Error("paused outside of the bundles");
      const resume = () => sendToThread(thread, "Debugger.resume");
      pause.resolve({ file: origin.originalSource, line: origin.originalLine + 1, resume });
    },
  };
  const receive = (text: string, thread = "") => {
    const { method, params } = JSON.parse(text);
    handlers[method]?.(params, thread);
  };
  const socket = new WebSocket(debuggerUrl);
  socket.addEventListener("message", ({ data }) => receive(String(data)));
  await once(socket, "open");
  socket.send(message("NodeWorker.enable", { waitForDebuggerOnStart: false }));
  await breakpoint.promise;
  return { paused: pause.promise };
}

/** With absolute paths, as debuggers resolve them. */
function readMap(url: URL): SourceMap {
  const { sourceRoot, ...map } = JSON.parse(readFileSync(url, "utf8"));
  const sources = map.sources.map((source: string) => fileURLToPath(new URL(sourceRoot + source, url)));
  return new SourceMap({ ...map, sources });
}

/** The first position in a bundle that a line of a source file became. Minified code is one long line. */
function positionOf(map: SourceMap, file: string, line: number): Position {
  for (let columnNumber = 0; columnNumber < 1_000_000; columnNumber += 1) {
    const origin = map.findEntry(0, columnNumber);
    if ("originalSource" in origin && origin.originalSource === file && origin.originalLine === line - 1)
      return { lineNumber: 0, columnNumber };
  }
  throw new Error(`line ${line} of ${file} is in no code`);
}
