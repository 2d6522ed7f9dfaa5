/** The guard as a program for Node: it ends the engine when standard input closes, and ends with the engine. */
const script = `
const [program, ...args] = process.argv.slice(1);
const engine = require("node:child_process").spawn(program, args, { stdio: ["ignore", "inherit", "inherit"] });
engine.on("error", ({ message }) => { process.stderr.write(message + "\\n"); process.exit(1); });
engine.on("exit", (code) => process.exit(code ?? 1));
process.stdin.on("end", () => engine.kill()).resume();
`;

/**
 * The command that runs an engine under a guard where there is no shell, which is on Windows. Elsewhere a shell does
 * the same in less time and memory.
 */
export function nodeGuard(command: readonly string[]): readonly string[] {
  return [process.execPath, "-e", script, "--", ...command];
}
