import type { LogLine } from "../log.ts";

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
  readonly requestHeaders: Headers;
  readonly responseHeaders: Headers;
  readonly requestBody: string;
  readonly responseBody: string;
  readonly milliseconds: number;
  readonly start: "cold" | "warm" | undefined;
  readonly capacityUnits: number;
  readonly calls: readonly ShownCall[];
  /** The function's log lines that name the request. */
  readonly lines: readonly LogLine[];
}

type Headers = readonly (readonly [name: string, value: string])[];

/** A request to send: one that was shown, with what was edited. Hidden secrets are those of that one. */
export interface RequestToSend extends Pick<ShownRequest, "id" | "method" | "target" | "requestBody"> {
  readonly requestHeaders: Headers;
}

export interface ShownCall {
  readonly operation: string;
  readonly targets: readonly string[];
  /** Keys, conditions and limits, a line for each. */
  readonly input: readonly string[];
  readonly result: string;
  readonly offset: number;
  readonly milliseconds: number;
  /** 1, or one more than the last call that had ended when this one started. */
  readonly round: number;
  readonly capacityUnits: number;
  readonly statusCode: number;
  readonly denial?: string;
}
