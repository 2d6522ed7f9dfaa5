import { localRegion } from "../stack/arn.ts";

/** An error response of DynamoDB. */
export class DynamodbError extends Error {
  override readonly name = "DynamodbError";
  /** The error's type without its namespace, such as `ResourceInUseException`. */
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** What precedes the operation in DynamoDB's header `X-Amz-Target`. */
export const targetPrefix = "DynamoDB_20120810.";

/**
 * The headers of a request to the engine, which requires a signature but does not check it. The access key must always
 * be the same: DynamoDB Local has a separate database for each.
 */
export function engineHeaders(operation: string): Record<string, string> {
  return {
    "content-type": "application/x-amz-json-1.0",
    "x-amz-target": targetPrefix + operation,
    "x-amz-date": "20260101T000000Z",
    authorization:
      `AWS4-HMAC-SHA256 Credential=local/20260101/${localRegion}/dynamodb/aws4_request, ` +
      "SignedHeaders=host, Signature=0",
  };
}

/**
 * Sends one request to the engine. It does not use the SDK, which takes longer to load than the engine to start.
 *
 * @param operation such as `CreateTable`
 * @throws {DynamodbError} if the engine refuses the request
 * @throws {TypeError} if the engine does not respond
 */
export async function callDynamodb(
  endpoint: string,
  operation: string,
  body: object,
  signal?: AbortSignal,
): Promise<Record<string, unknown>> {
  const response = await fetch(endpoint, {
    method: "POST",
    headers: engineHeaders(operation),
    body: JSON.stringify(body),
    ...(signal && { signal }),
  });
  const members = JSON.parse((await response.text()) || "{}");
  if (response.ok) return members;
  const code = String(members.__type ?? response.status).replace(/^.*#/, "");
  throw new DynamodbError(code, String(members.message ?? members.Message ?? `status ${response.status}`));
}
