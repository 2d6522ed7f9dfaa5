import type { Sample } from "./generator.ts";

/**
 * Tells every second how far a load has come.
 *
 * @param say prints a line
 */
export function createProgress(say: (text: string) => void) {
  let seconds = 0;
  let total = 0;
  let answered = 0;
  let errors = 0;
  const timer = setInterval(() => {
    seconds += 1;
    say(`${seconds} s: ${answered} requests in this second, ${total} in all, ${errors} errors`);
    answered = 0;
  }, 1_000);
  return {
    onSample({ isExpected }: Sample): void {
      total += 1;
      answered += 1;
      if (!isExpected) errors += 1;
    },
    end: () => clearInterval(timer),
  };
}
