export const localAccount = "000000000000";

/** The AWS region in local ARNs, in which the functions believe to run. */
export const localRegion = "us-east-1";

/** @param resource the last part of the ARN, such as `table/notes` */
export function localArn(service: string, resource: string): string {
  return `arn:aws:${service}:${localRegion}:${localAccount}:${resource}`;
}
