import { Duration } from "aws-cdk-lib";
import type { FunctionProps } from "aws-cdk-lib/aws-lambda";
import type { FunctionName } from "./functions.ts";
import type { Stage } from "./stages.ts";

/** What a function is given to run with. */
interface Sizing {
  readonly memoryMegabytes: number;
  /** Under the gateway's 30 s, above what the database client's own time-outs add up to. */
  readonly timeoutSeconds: number;
  /** The share of the account's concurrency that it may take, and that others cannot take from it. */
  readonly concurrencyShare?: number;
}

/**
 * Memory buys CPU: 1,769 MB are a whole one. What waits for DynamoDB needs little of it; most of a cold start is
 * loading the AWS SDK, which more than half a CPU does in about a tenth of a second.
 */
const ordinary: Sizing = { memoryMegabytes: 1_024, timeoutSeconds: 20 };

const special: { readonly [F in FunctionName]?: Sizing } = {
  // A hash is nothing but CPU: it costs the same at any size, and takes 20 to 50 ms of a whole one. A batch is
  // 25 hashes, four at once with 19 MB each. Bounded, so that a flood of logins leaves the others room.
  accounts: { memoryMegabytes: 1_769, timeoutSeconds: 20, concurrencyShare: 0.1 },
  // A search reads and decodes everything that was ever written: seconds of CPU, and one thread uses just one.
  // Bounded, since no other function could take all environments from the others so easily.
  posts: { memoryMegabytes: 1_769, timeoutSeconds: 29, concurrencyShare: 0.3 },
};

/** Lambda refuses a deployment that leaves functions without a share fewer environments than this. */
const UNRESERVED = 100;

/**
 * Memory, time-out and, where the stage knows how much there is to share, concurrency of a function.
 *
 * @param name the function's folder
 */
export function sizingOf(name: FunctionName, { lambdaConcurrency }: Stage) {
  const { memoryMegabytes, timeoutSeconds, concurrencyShare = 0 } = special[name] ?? ordinary;
  const reserved = Math.floor(lambdaConcurrency * concurrencyShare);
  return {
    memorySize: memoryMegabytes,
    timeout: Duration.seconds(timeoutSeconds),
    ...(reserved > 0 && canReserve(lambdaConcurrency) && { reservedConcurrentExecutions: reserved }),
  } satisfies Partial<FunctionProps>;
}

function canReserve(lambdaConcurrency: number): boolean {
  const shares = Object.values(special).map(({ concurrencyShare = 0 }) => concurrencyShare);
  return lambdaConcurrency * (1 - shares.reduce((sum, share) => sum + share, 0)) >= UNRESERVED;
}
