/** Requests of an area whose handling is measured without a database (bench/requests). */
export interface MeasuredHandlers {
  /** Repositories that return immediately. */
  readonly dependencies: object;
  readonly requests: readonly {
    /** The request by default. */
    readonly name?: string;
    /** Method and target. */
    readonly request: string;
    readonly body?: unknown;
    readonly status: number;
  }[];
}
