import type { ChildProcess } from "node:child_process";
import type { Socket } from "node:net";

/**
 * The guard as a program for Node: it ends the engine when standard input closes, and ends with the engine. A parent
 * that asks for connections to the engine gets their sockets.
 */
const script = `
const { connect } = require("node:net");
const [program, ...args] = process.argv.slice(1);
const engine = require("node:child_process").spawn(program, args, { stdio: ["ignore", "inherit", "inherit"] });
engine.on("error", ({ message }) => { process.stderr.write(message + "\\n"); process.exit(1); });
engine.on("exit", (code) => process.exit(code ?? 1));
process.stdin.on("end", () => engine.kill()).resume();
process.on("message", ({ id, port }) => {
  const socket = connect(port, "127.0.0.1", () => process.send({ id }, socket));
  socket.on("error", ({ message }) => process.send({ id, message }));
});
process.send?.({});
`;

/**
 * The command that runs an engine under a guard where there is no shell, which is on Windows. Elsewhere a shell does
 * the same in less time and memory.
 */
export function nodeGuard(command: readonly string[]): readonly string[] {
  return [process.execPath, "-e", script, "--", ...command];
}

/**
 * The command that runs an engine in a network namespace of its own, where no other process can reach it (Linux;
 * docs/adr/0005). The guard is the first process of a process namespace: when it ends, the kernel ends the engine.
 */
export function isolatedGuard(command: readonly string[]): readonly string[] {
  const namespaces = ["--user", "--map-root-user", "--net", "--pid", "--fork", "--kill-child"];
  const start = 'umask 077; ip link set lo up && exec "$@"';
  return ["unshare", ...namespaces, "--", "sh", "-c", start, "engine-guard", ...nodeGuard(command)];
}

/** The message of a guard: that it runs (no id), that a connection is open (with its socket), or why it is not. */
interface GuardMessage {
  readonly id?: number;
  readonly message?: string;
}

/** @returns whether the guard could be started in its namespaces */
export function hasStarted(guard: ChildProcess): Promise<boolean> {
  return new Promise((resolve) => {
    guard.once("message", () => resolve(true)).once("close", () => resolve(false));
    guard.once("error", () => resolve(false));
  });
}

/** @returns opens connections to the port of the engine under an isolated guard */
export function connector(guard: ChildProcess, port: number): () => Promise<Socket> {
  const waiting = new Map<number, { resolve(socket: Socket): void; reject(reason: Error): void }>();
  let last = 0;
  guard.on("message", ({ id = 0, message }: GuardMessage, socket) => {
    const connection = waiting.get(id);
    waiting.delete(id);
    if (socket) connection?.resolve((socket as Socket).setNoDelay(true));
    else connection?.reject(new Error(message ?? "the connection was closed"));
  });
  guard.once("disconnect", () => {
    for (const { reject } of waiting.values()) reject(new Error("the engine has ended"));
    waiting.clear();
  });
  return () =>
    new Promise((resolve, reject) => {
      if (!guard.connected) return reject(new Error("the engine has ended"));
      last += 1;
      waiting.set(last, { resolve, reject });
      // Without the callback, a guard that has just ended would be an uncaught error.
      guard.send({ id: last, port }, (error) => error && reject(new Error("the engine has ended")));
    });
}
