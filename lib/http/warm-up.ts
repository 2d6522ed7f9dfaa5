import type { APIGatewayProxyEventV2, Context } from "aws-lambda";

/** A longer wait would delay the first request by more than the warm-up saves. */
const MAX_WAIT_MS = 1_000;

/** A request for it reads one item, and no record ever has it. */
export const UNUSED_ID = Number.MAX_SAFE_INTEGER;

export const warmUpContext = {
  functionName: "",
  awsRequestId: "",
  getRemainingTimeInMillis: () => MAX_WAIT_MS,
} as Context;

/** Handles a GET request that reads one item or secret while the function is initialized (docs/adr/0022). */
export async function warmUp(
  handler: (event: APIGatewayProxyEventV2, context: Context) => Promise<unknown>,
  path: string,
  // Only where access rules require a token it makes the function read the signing secrets.
  headers: Readonly<Record<string, string>> = { authorization: "Bearer none" },
): Promise<void> {
  if (process.env.AWS_LAMBDA_INITIALIZATION_TYPE === undefined) return;
  const event = { rawPath: path, headers } as APIGatewayProxyEventV2;
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise((resolve) => {
    timer = setTimeout(resolve, MAX_WAIT_MS);
  });
  await Promise.race([handler(event, warmUpContext), timeout]);
  clearTimeout(timer);
}
