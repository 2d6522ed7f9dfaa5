/** Failed logins are counted by the quarter of an hour. */
export const WINDOW_MS = 15 * 60_000;
const FIRST_DELAY_MS = 1_000;
const LONGEST_DELAY_MS = 30_000;

/**
 * How long after a failed login the next one is not looked at: 1, 2, 4, … seconds, at most 30.
 *
 * @param failures how many there were
 * @param free how many have no consequence
 * @returns milliseconds
 */
export function delayAfter(failures: number, free: number): number {
  return failures < free ? 0 : Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (failures - free));
}

/**
 * Who is taken for one caller: an address, and with IPv6 the /64 network, all of which belongs to one host.
 *
 * @param address as the gateway saw it
 */
export function networkOf(address: string): string {
  if (!address.includes(":")) return address;
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
