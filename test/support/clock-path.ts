import type { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";

/** Does some work in a function whose clock has jumped. It has had a response of AWS since. */
type Turn = <T>(work: () => Promise<T>) => Promise<T>;

/** What two functions with wrong clocks do in one table, and what is right nevertheless. */
export type ClockPath = (context: {
  readonly client: DynamoDBDocumentClient;
  readonly table: string;
  readonly byOne: Turn;
  readonly byOther: Turn;
  /** The time of AWS in milliseconds, which the path lets pass. */
  readonly aws: { time: number };
}) => Promise<void>;
