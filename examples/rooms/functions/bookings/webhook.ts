import { createHmac } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";

/** Of one run, in milliseconds. The stream's repetitions follow. */
const DELAYS_MS = [0, 1_000, 4_000, 16_000];
const TIMEOUT_MS = 5_000;

/**
 * Posts a body, with a header for its receiver: the time, and an HMAC of time and body under each key, since keys
 * change. Receivers refuse old times and ignore what they got before.
 *
 * @throws Error if no attempt got a 2xx
 */
export async function callWebhook(
  url: string,
  body: string,
  keys: readonly string[],
  signal: AbortSignal,
  delays: readonly number[] = DELAYS_MS,
): Promise<void> {
  let reason: unknown;
  for (const delay of delays) {
    await wait(delay, undefined, { signal });
    const time = Math.floor(Date.now() / 1_000);
    const signatures = keys.map((key) => `v1=${createHmac("sha256", key).update(`${time}.${body}`).digest("hex")}`);
    const headers = { "content-type": "application/json", "x-signature": [`t=${time}`, ...signatures].join(",") };
    try {
      const timeout = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
      const response = await fetch(url, { method: "POST", headers, body, signal: timeout, redirect: "error" });
      if (response.ok) return;
      reason = `status ${response.status}`;
    } catch (error) {
      reason = error;
    }
  }
  throw new Error("The webhook could not be called", { cause: reason });
}
