import { connect } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { expect, vi } from "vitest";

/** Resolves when nothing listens at the URL any more. */
export async function untilClosed(url: string): Promise<void> {
  const { hostname, port } = new URL(url);
  for (;;) {
    const socket = connect(Number(port), hostname);
    const isOpen = await new Promise<boolean>((resolve) => {
      socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    });
    socket.destroy();
    if (!isOpen) return;
    await delay(5);
  }
}

/** Resolves when no process has the id any more. */
export async function untilEnded(processId: number): Promise<void> {
  const isGone = () => expect(() => process.kill(processId, 0)).toThrow();
  await vi.waitFor(isGone, { timeout: 600_000, interval: 5 });
}
