import { unitPrices } from "../../infra/monitoring/dashboard.ts";

/** AWS's public prices in US dollars, without the free tier: those of this region on this day. */
export const prices = {
  region: "US East (N. Virginia), us-east-1",
  date: "2026-11-20",
  /** A gateway's request is one per 512 KB of it, or of its response. */
  perMillion: { ...unitPrices.perMillion, secretReads: 5, traces: 5 },
  gigabyteSecond: unitPrices.gigabyteSecond,
  perGigabyte: {
    logsIngested: 0.5,
    /** Looking for credentials, to mask them. */
    logsScanned: 0.12,
    /** To the internet, after the first 100 GB of a month. */
    sent: 0.09,
  },
  perMonth: {
    secret: 0.4,
    alarmMetric: 0.1,
    /** Free are an account's first three, if they have at most 50 metrics each. */
    dashboard: 3,
    /** Per custom metric, prorated by the hours with data. */
    metric: 0.3,
    gigabyteOfLogs: 0.03,
    gigabyteOfData: 0.25,
    gigabyteOfRecovery: 0.2,
    /** Each backup is a whole copy of a table. */
    gigabyteOfBackup: 0.1,
  },
} as const;

/** The duration of a function's work in milliseconds: assumptions, not measured on AWS. */
export const times = {
  /** A call to DynamoDB. AWS says single-digit milliseconds. */
  call: 5,
  /** Its own work with the part of the SDK: docs/figures/measurements.md has 3 ms for a second request with its call. */
  own: 2,
  /** Hashing a password: from the same page, for accounts, rounded up. */
  hash: 40,
} as const;
