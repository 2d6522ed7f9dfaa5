export interface LogLine {
  /** The function's label, or a part of the local run such as `engine`. */
  readonly source: string;
  readonly text: string;
}

export type LogSink = (line: LogLine) => void;

/** Splits a stream of text into log lines; `end` logs a last one without a line break. */
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
