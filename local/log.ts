/** A line of the local run's log. */
export interface LogLine {
  /** The function that wrote it, or the part of the local run: `gateway`, `iam`, `engine`. */
  readonly source: string;
  readonly text: string;
}

export type LogSink = (line: LogLine) => void;

/**
 * Cuts a stream of text into lines for a log sink.
 *
 * @param log where the lines go
 * @param source whose lines they are
 * @returns `write` takes pieces of any length; `end` passes on a last line without a line break
 */
export function createLineLog(log: LogSink, source: string) {
  let rest = "";
  return {
    write(piece: string): void {
      const lines = (rest + piece).split("\n");
      rest = lines.pop() ?? "";
      for (const text of lines) log({ source, text });
    },
    end(): void {
      if (rest !== "") log({ source, text: rest });
      rest = "";
    },
  };
}
