/** A line of the local run's log. */
export interface LogLine {
  /** The function's label, or a part of the local run: `aws`, `database`, `dynamodb`, `engine`, `gateway` or `iam`. */
  readonly source: string;
  readonly text: string;
}

export type LogSink = (line: LogLine) => void;

/**
 * Splits a stream of text into log lines.
 *
 * @returns `write` takes chunks of any length; `end` logs a last line without a line break
 */
export function createLineLog(log: LogSink, source: string) {
  let rest = "";
  return {
    write(chunk: string): void {
      const lines = (rest + chunk).split("\n");
      rest = lines.pop() ?? "";
      for (const text of lines) log({ source, text });
    },
    end(): void {
      if (rest !== "") log({ source, text: rest });
      rest = "";
    },
  };
}
