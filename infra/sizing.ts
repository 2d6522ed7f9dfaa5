import { Duration } from "aws-cdk-lib";
import type { FunctionProps } from "aws-cdk-lib/aws-lambda";
import type { LambdaName } from "../functions/routes.ts";
import type { Stage } from "./stages.ts";

interface Sizing {
  readonly memoryMegabytes: number;
  /** Above the sum of the database client's timeouts and, if the gateway invokes the function, below its 30 s. */
  readonly timeoutSeconds: number;
  /** The part of the account's concurrency, from 0 to 1, that is reserved for the function and also its limit. */
  readonly concurrencyShare?: number;
}

/**
 * Memory buys CPU: 1,769 MB are one vCPU. Waiting for DynamoDB needs little of it. Most of a cold start is loading
 * the AWS SDK, which takes about a tenth of a second with half a vCPU.
 */
const defaults: Sizing = { memoryMegabytes: 1_024, timeoutSeconds: 20 };

const overrides: { readonly [F in LambdaName]?: Sizing } = {
  // A password hash takes 20 to 50 ms of one vCPU and costs the same at any size. A batch has 25 hashes,
  // one after the other. Limited, so that a flood leaves concurrency to the other functions; logins apart from
  // registrations, so that these do not keep them waiting.
  accounts: { memoryMegabytes: 1_769, timeoutSeconds: 20, concurrencyShare: 0.05 },
  login: { memoryMegabytes: 1_769, timeoutSeconds: 20, concurrencyShare: 0.1 },
  // Hashes a password where the gateway sends it `POST /users/`, and receives every request to an unknown path.
  fallback: { ...defaults, concurrencyShare: 0.05 },
  // A search reads and decodes every post: seconds of CPU on a single thread. Limited, because slow requests occupy
  // the most execution environments.
  posts: { memoryMegabytes: 1_769, timeoutSeconds: 29, concurrencyShare: 0.3 },
  // Waits a minute, then reads the ids of one block at a time, for as long as Lambda allows.
  repair: { memoryMegabytes: 256, timeoutSeconds: 900 },
};

/** Lambda refuses a deployment that leaves less unreserved concurrency than this. */
const MIN_UNRESERVED = 100;

/** Memory and timeout of a function, and its reserved concurrency if the stage knows the account's quota. */
export function sizing(name: LambdaName, { lambdaConcurrency }: Stage) {
  const { memoryMegabytes, timeoutSeconds, concurrencyShare = 0 } = overrides[name] ?? defaults;
  const reserved = Math.floor(lambdaConcurrency * concurrencyShare);
  return {
    memorySize: memoryMegabytes,
    timeout: Duration.seconds(timeoutSeconds),
    ...(reserved > 0 && canReserve(lambdaConcurrency) && { reservedConcurrentExecutions: reserved }),
  } satisfies Partial<FunctionProps>;
}

function canReserve(lambdaConcurrency: number): boolean {
  const shares = Object.values(overrides).map(({ concurrencyShare = 0 }) => concurrencyShare);
  return lambdaConcurrency * (1 - shares.reduce((sum, share) => sum + share, 0)) >= MIN_UNRESERVED;
}
