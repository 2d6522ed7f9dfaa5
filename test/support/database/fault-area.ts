import type { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";

type Act<Repositories> = (repositories: Repositories) => Promise<unknown>;

export interface OpenedArea<Repositories> {
  /** By area: what the daily repair repairs. */
  readonly tables: Readonly<Record<string, string>>;
  /** The repositories of a process with this client. */
  with(client: DynamoDBDocumentClient): Repositories;
}

/** What is tried with repositories while the database fails. */
export interface FaultArea<Repositories> {
  open(endpoint: string): Promise<OpenedArea<Repositories>>;
  /** Each does one thing, or nothing. */
  readonly writes: Readonly<Record<string, Act<Repositories>>>;
  readonly reads: Readonly<Record<string, Act<Repositories>>>;
  /** What other processes do with the same records after a write; the first act also in the middle of it. */
  readonly others: Readonly<Record<string, readonly Act<Repositories>[]>>;
  /** A write may be made in part, or twice beside others: of the interruptions, only the first is tried. */
  readonly isApproximate?: boolean;
  readonly state: Act<Repositories>;
}

export const now = () => new Date("2026-03-01T12:00:00.000Z");

export const any = () => undefined;
