export interface Message {
  /** Of a request that was shown: what is hidden (`•••`) is sent again as it was in that one. */
  readonly id?: string;
  /** The method with the target, or the status, and a line for each header. */
  readonly head: string;
  readonly body: string;
}

export interface ShownRequest {
  readonly id: string;
  readonly time: string;
  readonly method: string;
  /** The path with the query as sent, without the values of secrets. */
  readonly target: string;
  /** The route that handled it, such as `POST /users/`; undefined if there is none. */
  readonly route?: string;
  readonly function?: string;
  readonly status: number;
  readonly request: Message;
  readonly response: Message;
  readonly milliseconds: number;
  readonly start?: "cold" | "warm";
  readonly capacityUnits: number;
  readonly calls: readonly ShownCall[];
  /** The function's log lines that name the request, as on a terminal. */
  readonly lines: readonly { readonly text: string; readonly isError: boolean }[];
}

export interface ShownCall {
  readonly title: string;
  /** Keys, conditions and limits, a line for each. */
  readonly input: string;
  readonly result: string;
  readonly isDenied: boolean;
  readonly offset: number;
  readonly milliseconds: number;
  readonly capacityUnits: number;
}

/** Reads what people wrote: the method with the target, then a line for each header. */
export function readHead(text: string) {
  const [first = "", ...lines] = text.split("\n").filter((line) => line.trim() !== "");
  const [method = "", target = "/"] = first.trim().split(" ");
  const headers = lines.map((line): [string, string] => {
    const [name = "", ...value] = line.split(":");
    return [name.trim(), value.join(":").trim()];
  });
  return { method, target, headers };
}

/** A record on the page of stored data. */
export interface StoredRecord {
  readonly id: string;
  readonly item: Readonly<Record<string, unknown>>;
}
