import type { Jobs } from "../jobs.ts";
import { localArn } from "../stack/arn.ts";
import type { AwsService } from "./endpoint.ts";

/** Invokes jobs. The names of their functions are the operations of this service. */
export function createLambda(run: Jobs["run"]): AwsService {
  return {
    targetPrefix: "Lambda.",
    permissions: (name) => [
      { action: "lambda:InvokeFunction", resource: localArn("lambda", `function:${name}`) },
    ],
    async handle(name, _, text) {
      const result = await run(name, text);
      if (result.kind === "result") return { statusCode: 200, headers: {}, body: result.payload };
      const reason = result.kind === "failure" ? result.reason : "The local run is stopping";
      const body = JSON.stringify({ errorMessage: reason.split("\n")[0] });
      return { statusCode: 200, headers: { "x-amz-function-error": "Unhandled" }, body };
    },
  };
}
