import type { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { ofAreas } from "../of-areas.ts";

/** Leaves what a crash of an area's function at some time may leave, besides an id without a record. */
export type Crash = (
  client: DynamoDBDocumentClient,
  tableOf: (name: string) => string,
  at: Date,
) => Promise<unknown>;

/** The areas that repair more than ids. A repair releases one thing for each. */
export const crashes = Object.values(await ofAreas<Crash>("crash"));

export function anHourAgo(): Date {
  return new Date(Date.now() - 3_600_000);
}

/** Leaves what else the daily repair of an area finds, after an id without a record. */
export const damages = Object.values(await ofAreas<Crash>("damage"));
