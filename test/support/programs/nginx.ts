import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { delimiter, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

export function findNginx({ PATH = "" }: NodeJS.ProcessEnv): string | undefined {
  return [...PATH.split(delimiter), "/usr/sbin"].map((folder) => join(folder, "nginx")).find(existsSync);
}

/** @returns ports that were free a moment ago */
export async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, "127.0.0.1"));
  await Promise.all(servers.map((server) => once(server, "listening")));
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => once(server.close(), "close")));
  return ports;
}

/** Starts nginx as the user of the tests, with a file of conf.d. @throws Error with what it printed, if it ends */
export async function startNginx(site: string, directory: string): Promise<ChildProcess> {
  mkdirSync(join(directory, "temporary"));
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (name) => `${name}_temp_path temporary/${name};`,
  );
  const http = [...temporary, "access_log off;", site].join("\n");
  // Started by root, its workers would be another user's.
  const user = process.getuid?.() === 0 ? "user root;\n" : "";
  const configuration = `${user}daemon off;\npid nginx.pid;\nworker_processes 1;\nevents {}\nhttp {\n${http}\n}\n`;
  writeFileSync(join(directory, "nginx.conf"), configuration);
  const nginx = findNginx(process.env) ?? "nginx";
  const args = ["-p", directory, "-c", "nginx.conf", "-e", "stderr"];
  const child = spawn(nginx, args, { stdio: ["ignore", "ignore", "pipe"] });
  let errors = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    errors += text;
  });
  while (!existsSync(join(directory, "nginx.pid"))) {
    if (child.exitCode !== null) throw new Error(`nginx ended: ${errors}`);
    await sleep(20);
  }
  return child;
}
