import { once } from "node:events";
import { type AddressInfo, createServer, type Server } from "node:net";
import { CommandError } from "../cli/errors.ts";

export interface Address {
  readonly host: string;
  readonly port: number;
}

/** @throws {CommandError} naming the setting to change, if it can't listen */
export async function listen(server: Server, { host, port }: Address): Promise<void> {
  server.listen({ port, host, backlog: 4_096 });
  try {
    await once(server, "listening");
  } catch (error) {
    throw new CommandError(explain(error as NodeJS.ErrnoException, { host, port }), { cause: error });
  }
}

/**
 * Serves the other loopback address too: `localhost` means 127.0.0.1 or ::1. Undefined for another host, or without
 * IPv6.
 * @throws {CommandError} if another program has the port there, which programs would reach as `localhost`
 */
export async function listenOnBoth(server: Server, { host, port }: Address): Promise<Server | undefined> {
  if (host !== "127.0.0.1" && host !== "localhost") return undefined;
  const { address, port: actual } = server.address() as AddressInfo;
  const other = createServer((socket) => server.emit("connection", socket));
  try {
    await listen(other, { host: address === "::1" ? "127.0.0.1" : "::1", port: actual });
    return other;
  } catch (error) {
    if (port !== 0 && Object(error).cause?.code === "EADDRINUSE") throw error;
    return undefined;
  }
}

/** Checks that `listen` would succeed. @throws {CommandError} like it, with the system's error as cause */
export async function checkAddress(address: Address): Promise<void> {
  const server = createServer((socket) => socket.destroy());
  await listen(server, address);
  server.close();
  await once(server, "close");
}

function explain({ code, message }: NodeJS.ErrnoException, { host, port }: Address): string {
  switch (code) {
    case "EADDRINUSE":
      return `Port ${port} is in use. Stop the program that listens there, or choose another PORT.`;
    case "EACCES":
      return `Listening on port ${port} is not permitted. Choose a PORT from 1024.`;
    case "EADDRNOTAVAIL":
    case "EINVAL":
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return `HOST must be an address of this machine, such as 127.0.0.1, not "${host}".`;
    default:
      return `Can't listen on ${host}:${port}: ${message}`;
  }
}
