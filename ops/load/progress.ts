import type { Sample } from "./generator.ts";

/**
 * Reports every second how many requests have completed.
 *
 * @param print prints a line
 */
export function createProgressCounter(print: (text: string) => void) {
  let seconds = 0;
  let total = 0;
  let inThisSecond = 0;
  let errors = 0;
  const timer = setInterval(() => {
    seconds += 1;
    print(`${seconds} s: ${inThisSecond} requests in this second, ${total} in total, ${errors} errors`);
    inThisSecond = 0;
  }, 1_000);
  return {
    onSample({ isExpected }: Sample): void {
      total += 1;
      inThisSecond += 1;
      if (!isExpected) errors += 1;
    },
    end: () => clearInterval(timer),
  };
}
