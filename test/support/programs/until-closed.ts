import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { expect, vi } from "vitest";

export async function untilClosed(url: string): Promise<void> {
  const { hostname, port } = new URL(url);
  for (;;) {
    const socket = connect(Number(port), hostname);
    const isOpen = await once(socket, "connect").catch(() => false);
    socket.destroy();
    if (!isOpen) return;
    await delay(5);
  }
}

export async function untilEnded(processId: number): Promise<void> {
  const isGone = () => expect(() => process.kill(processId, 0)).toThrow();
  await vi.waitFor(isGone, { timeout: 600_000, interval: 5 });
}
