import type { Template } from "aws-cdk-lib/assertions";
import { resourcesOf } from "./templates.ts";

/** The values of the access log's variables for a successful request. */
const answered = {
  requestId: "JKJaXmPLvHcESHA=",
  requestTime: "20/Nov/2026:12:34:56 +0000",
  "identity.sourceIp": "198.51.100.200",
  routeKey: "GET /todos/{id}",
  status: "200",
  responseLength: "52",
  responseLatency: "14",
  integrationLatency: "11",
  "error.message": "-",
};

/**
 * Formats the line that the gateway writes to its access log.
 *
 * @param template has the format
 * @param request overrides of the values, by variable
 */
export function accessLogLine(template: Template, request: Partial<typeof answered> = {}): string {
  const [[, stage] = []] = resourcesOf(template, "AWS::ApiGatewayV2::Stage");
  const variables = new Map(Object.entries({ ...answered, ...request }));
  return String(stage?.Properties.AccessLogSettings.Format).replaceAll(
    /\$context\.([\w.]*\w)/g,
    (_, name) => {
      const value = variables.get(name);
      if (value === undefined) throw new Error(`What the gateway writes for ${name} is not known here`);
      return value;
    },
  );
}
