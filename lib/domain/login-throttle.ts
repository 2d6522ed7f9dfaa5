/** Failed logins are counted per window (docs/adr/0012). */
export const WINDOW_MS = 15 * 60_000;
const FIRST_DELAY_MS = 1_000;
/** The longest delay, except while somebody guesses from many addresses. */
export const MAX_DELAY_MS = 30_000;

/** The delay in milliseconds after a number of failures: 1, 2, 4, … seconds after the free ones. */
export function delayAfter(failures: number, freeFailures: number, maxDelay = MAX_DELAY_MS): number {
  return failures < freeFailures ? 0 : Math.min(maxDelay, FIRST_DELAY_MS * 2 ** (failures - freeFailures));
}

/** What counts as one client: an IPv4 address, or a /64 network, which one host usually owns. */
export function networkOf(address: string): string {
  const [head = "", tail] = address.split("::");
  const groups = (text: string) => (text === "" ? [] : text.split(":"));
  const before = groups(head);
  const after = groups(tail ?? "");
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - before.length - after.length);
  return [...before, ...Array.from({ length: zeros }, () => "0"), ...after]
    .slice(0, 4)
    .map((group) => group.toLowerCase().replace(/^0+(?=.)/, ""))
    .join(":");
}
