export interface Message {
  /** The method with the target, or the status, and a line for each header. */
  readonly head: string;
  readonly body: string;
}

export interface ShownRequest {
  /** As in `x-request-id` and in the log. */
  readonly id: string;
  readonly time: string;
  readonly method: string;
  /** The path with the query as sent, without the values of secrets. */
  readonly target: string;
  /** The route's path; undefined if no function responded. */
  readonly route: string | undefined;
  readonly status: number;
  readonly request: Message;
  readonly response: Message;
  readonly milliseconds: number;
  readonly start: "cold" | "warm" | undefined;
  readonly capacityUnits: number;
  readonly calls: readonly ShownCall[];
  /** The function's log lines that name the request. */
  readonly lines: readonly string[];
}

/** With the id of a request that was shown, what is hidden is as in that one. */
export interface MessageToSend extends Message {
  readonly id?: string;
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
