import type { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";

type Act<Repositories> = (repositories: Repositories) => Promise<unknown>;

/** What is tried with repositories while the database fails. */
export interface FaultArea<Repositories> {
  /** Creates tables with some records. Returns the repositories on them with a client. */
  open(endpoint: string): Promise<(client: DynamoDBDocumentClient) => Repositories>;
  readonly writes: Readonly<Record<string, Act<Repositories>>>;
  readonly reads: Readonly<Record<string, Act<Repositories>>>;
  /** What others can read. */
  readonly state: Act<Repositories>;
}

/** The clock of their repositories. */
export const now = () => new Date("2026-03-01T12:00:00.000Z");

/** A precondition that every record fulfils. */
export const any = () => undefined;
