/**
 * Stands in for the SDK's chain of credential sources when the functions are bundled: Lambda hands a
 * function's credentials over in environment variables, and the rest of the chain would be 130 KB of dead
 * weight in every cold start (docs/adr/0006).
 *
 * @returns a provider, as the SDK's own `defaultProvider` does
 */
export function defaultProvider() {
  return async () => {
    const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN } = process.env;
    if (!AWS_ACCESS_KEY_ID || !AWS_SECRET_ACCESS_KEY) throw new Error("Lambda's credentials are not set");
    return {
      accessKeyId: AWS_ACCESS_KEY_ID,
      secretAccessKey: AWS_SECRET_ACCESS_KEY,
      ...(AWS_SESSION_TOKEN && { sessionToken: AWS_SESSION_TOKEN }),
    };
  };
}
