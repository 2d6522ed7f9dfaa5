import type { Template } from "aws-cdk-lib/assertions";
import { resourcesOf } from "./templates.ts";

const answered = {
  ...{
    requestId: "JKJaXmPLvHcESHA=",
    requestTime: "20/Nov/2026:12:34:56 +0000",
    routeKey: "GET /todos/{id}",
  },
  ...{ "identity.sourceIp": "198.51.100.200", status: "200", "error.message": "-" },
  ...{ responseLength: "52", responseLatency: "14", integrationLatency: "11" },
};

/** The line that the gateway writes to its access log, in the template's format. @param request overrides by variable */
export function accessLogLine(template: Template, request: Partial<typeof answered> = {}): string {
  const [[, stage] = []] = resourcesOf(template, "AWS::ApiGatewayV2::Stage");
  const variables = new Map(Object.entries({ ...answered, ...request }));
  const format = String(stage?.Properties.AccessLogSettings.Format);
  return format.replaceAll(/\$context\.([\w.]*\w)/g, (_, name) => {
    const value = variables.get(name);
    if (value === undefined) throw new Error(`What the gateway writes for ${name} is not known here`);
    return value;
  });
}
