import type { ChildProcess } from "node:child_process";
import type { Socket } from "node:net";

/**
 * The guard ends the engine when standard input closes, which happens however its parent ends, and ends with
 * it. It passes sockets of connections to the engine to a parent that asks.
 */
const script = `
const { connect } = require("node:net");
const [program, ...args] = process.argv.slice(1);
process.umask(0o077);
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

/** The command that runs an engine under a guard. */
export function nodeGuard(command: readonly string[]): readonly string[] {
  return [process.execPath, "-e", script, "--", ...command];
}

/**
 * The same where no other process can reach the engine (Linux; docs/adr/0005). The guard is the first process
 * of a process namespace: when it ends, the kernel ends the engine.
 */
export function isolatedGuard(command: readonly string[]): readonly string[] {
  const namespaces = ["--user", "--map-root-user", "--net", "--pid", "--fork", "--kill-child"];
  const start = 'ip link set lo up && exec "$@"';
  return ["unshare", ...namespaces, "--", "sh", "-c", start, "engine-guard", ...nodeGuard(command)];
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
  const waiting = new Map<number, PromiseWithResolvers<Socket>>();
  let last = 0;
  // That a connection is open, with its socket, or why it is not.
  guard.on("message", ({ id, message }: { readonly id: number; readonly message?: string }, socket) => {
    const connection = waiting.get(id);
    waiting.delete(id);
    if (socket) connection?.resolve((socket as Socket).setNoDelay(true));
    else connection?.reject(new Error(message ?? "the connection was closed"));
  });
  guard.once("disconnect", () => {
    for (const { reject } of waiting.values()) reject(new Error("the engine has ended"));
    waiting.clear();
  });
  return () => {
    const connection = Promise.withResolvers<Socket>();
    last += 1;
    waiting.set(last, connection);
    // Without the callback, a guard that has ended would be an uncaught error.
    guard.send({ id: last, port }, (error) => error && connection.reject(new Error("the engine has ended")));
    return connection.promise;
  };
}
