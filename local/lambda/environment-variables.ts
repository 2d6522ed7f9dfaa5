import { randomUUID } from "node:crypto";
import { devNull } from "node:os";
import { localRegion } from "../stack/arn.ts";
import type { FunctionModel } from "../stack/model.ts";

/** What Lambda sets ("Defined runtime environment variables"), then the template's. None is inherited. */
export function functionEnvironment(
  functionModel: FunctionModel,
  accessKeyId: string,
  awsUrl: string,
): Record<string, string> {
  const day = new Date().toISOString().slice(0, 10).replaceAll("-", "/");
  return {
    AWS_REGION: localRegion,
    AWS_DEFAULT_REGION: localRegion,
    AWS_EXECUTION_ENV: `AWS_Lambda_${functionModel.runtime}`,
    AWS_LAMBDA_FUNCTION_NAME: functionModel.name,
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(functionModel.memoryMegabytes),
    AWS_LAMBDA_FUNCTION_VERSION: "$LATEST",
    AWS_LAMBDA_INITIALIZATION_TYPE: "on-demand",
    AWS_LAMBDA_LOG_GROUP_NAME: functionModel.logGroupName,
    AWS_LAMBDA_LOG_STREAM_NAME: `${day}/[$LATEST]${randomUUID().replaceAll("-", "")}`,
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: "local",
    AWS_SESSION_TOKEN: "local",
    LAMBDA_TASK_ROOT: functionModel.codeDirectory,
    _HANDLER: functionModel.handler,
    LANG: "en_US.UTF-8",
    TZ: ":UTC",
    ...functionModel.environment,
    AWS_ENDPOINT_URL: awsUrl,
    AWS_ENDPOINT_URL_DYNAMODB: awsUrl,
    // The developer's own AWS profile must not reach the functions.
    AWS_CONFIG_FILE: devNull,
    AWS_SHARED_CREDENTIALS_FILE: devNull,
  };
}
