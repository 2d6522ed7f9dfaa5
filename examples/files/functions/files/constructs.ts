import { Duration, RemovalPolicy, Stack, Validations } from "aws-cdk-lib";
import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import { BlockPublicAccess, Bucket, BucketEncryption, HttpMethods } from "aws-cdk-lib/aws-s3";
import type { AreaConstructs } from "../define-area.ts";

/** A private bucket, in which the links of the area's function allow one upload or download. */
export const constructs: AreaConstructs = (scope, { lambda, job, stage }) => {
  const bucket = new Bucket(scope, "Bucket", {
    blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
    enforceSSL: true,
    encryption: BucketEncryption.S3_MANAGED,
    lifecycleRules: [{ abortIncompleteMultipartUploadAfter: Duration.days(1) }],
    cors: [
      {
        allowedMethods: [HttpMethods.GET, HttpMethods.PUT],
        allowedOrigins: [...stage.corsOrigins],
        allowedHeaders: ["content-type"],
      },
    ],
    removalPolicy: stage.keepData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    autoDeleteObjects: !stage.keepData,
  });
  const id = Stack.of(scope).getLogicalId(bucket.node.defaultChild as never);
  const actions = new Map([
    [lambda, ["s3:GetObject", "s3:PutObject"]],
    [job("discard"), ["s3:DeleteObject"]],
  ]);
  for (const [each, names] of actions) {
    each.addEnvironment("FILES_BUCKET", bucket.bucketName);
    each.addToRolePolicy(new PolicyStatement({ actions: names, resources: [bucket.arnForObjects("*")] }));
    Validations.of(each.role ?? each).acknowledge({
      id: `AwsSolutions-IAM5[Resource::<${id}.Arn>/*]`,
      reason: "Each file is an object with a name of its own",
    });
  }
  Validations.of(bucket).acknowledge({
    id: "AwsSolutions-S1",
    reason: "The access log of the API says who got which link",
  });
};
