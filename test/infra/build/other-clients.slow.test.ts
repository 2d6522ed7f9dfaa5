import { EventStreamCodec } from "@smithy/core/event-streams";
import { fromUtf8, toUtf8 } from "@smithy/core/serde";
import { afterAll, expect, it } from "vitest";
import { bundleCode, runBundle, type StubResponse } from "../../support/infra/bundled-clients.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

interface Case {
  readonly code: string;
  readonly response: StubResponse;
  /** What the code prints, and the path and the body of its last request. */
  readonly printed: string;
  readonly url: string | RegExp;
  readonly body: string | RegExp;
}

const json = (body: object) => ({ type: "application/x-amz-json-1.1", body: JSON.stringify(body) });
const send = (client: string, command: string, input: object, result: string, options = "") =>
  `import { ${client}, ${command} } from "@aws-sdk/${packageOf[client]}";
  const response = await new ${client}({ ${options} }).send(new ${command}(${JSON.stringify(input)}));
  console.log(${result});`;
const packageOf: Readonly<Record<string, string>> = {
  BedrockRuntimeClient: "client-bedrock-runtime",
  EventBridgeClient: "client-eventbridge",
  KinesisClient: "client-kinesis",
  S3Client: "client-s3",
  SESv2Client: "client-sesv2",
  SFNClient: "client-sfn",
  SQSClient: "client-sqs",
};

const token = new EventStreamCodec(toUtf8, fromUtf8).encode({
  headers: {
    ":message-type": { type: "string", value: "event" },
    ":event-type": { type: "string", value: "contentBlockDelta" },
    ":content-type": { type: "string", value: "application/json" },
  },
  body: Buffer.from('{"contentBlockIndex":0,"delta":{"text":"Hello"}}'),
});

const cases: Readonly<Record<string, Case>> = {
  s3: {
    code: send(
      "S3Client",
      "ListObjectsV2Command",
      { Bucket: "plans" },
      "response.Contents[0].Key",
      "forcePathStyle: true",
    ),
    response: {
      type: "application/xml",
      body: "<ListBucketResult><Contents><Key>a.pdf</Key></Contents></ListBucketResult>",
    },
    printed: "a.pdf",
    url: "/plans/?list-type=2",
    body: "",
  },
  upload: {
    code: send(
      "S3Client",
      "PutObjectCommand",
      { Bucket: "plans", Key: "a.pdf", Body: "plan" },
      "response.ETag",
      "forcePathStyle: true",
    ),
    response: { type: "application/xml", body: "" },
    printed: "undefined",
    url: "/plans/a.pdf?x-id=PutObject",
    body: /plan/,
  },
  presigned: {
    code: `import { GetObjectCommand, S3Client } from "@aws-sdk/client-s3";
      import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
      const command = new GetObjectCommand({ Bucket: "plans", Key: "a.pdf" });
      const url = await getSignedUrl(new S3Client({ forcePathStyle: true }), command, { expiresIn: 60 });
      const { status } = await fetch(url);
      console.log(status, new URL(url).searchParams.get("X-Amz-Expires"));`,
    response: { type: "application/pdf", body: "plan" },
    printed: "200 60",
    url: /^\/plans\/a\.pdf\?.*X-Amz-Signature=[0-9a-f]{64}/,
    body: "",
  },
  sqs: {
    code: send(
      "SQSClient",
      "SendMessageCommand",
      { QueueUrl: "https://sqs.us-east-1.amazonaws.com/1/q", MessageBody: "a" },
      "response.MessageId",
      "useQueueUrlAsEndpoint: false, md5: false",
    ),
    response: json({ MessageId: "1" }),
    printed: "1",
    url: "/",
    body: /"MessageBody":"a"/,
  },
  ses: {
    code: send(
      "SESv2Client",
      "SendEmailCommand",
      {
        FromEmailAddress: "a@example.com",
        Destination: { ToAddresses: ["b@example.com"] },
        Content: { Simple: { Subject: { Data: "Hi" }, Body: { Text: { Data: "Hi" } } } },
      },
      "response.MessageId",
    ),
    response: json({ MessageId: "1" }),
    printed: "1",
    url: "/v2/email/outbound-emails",
    body: /b@example\.com/,
  },
  eventbridge: {
    code: send(
      "EventBridgeClient",
      "PutEventsCommand",
      { Entries: [{ Source: "rooms", DetailType: "booked", Detail: "{}" }] },
      "response.Entries[0].EventId",
    ),
    response: json({ Entries: [{ EventId: "1" }] }),
    printed: "1",
    url: "/",
    body: /"DetailType":"booked"/,
  },
  // This client and the next use HTTP/2 by default, which the stub does not have.
  bedrock: {
    code: `import { BedrockRuntimeClient, ConverseStreamCommand } from "@aws-sdk/client-bedrock-runtime";
      import { NodeHttpHandler } from "@smithy/node-http-handler";
      const client = new BedrockRuntimeClient({ requestHandler: new NodeHttpHandler() });
      const messages = [{ role: "user", content: [{ text: "Hi" }] }];
      const { stream } = await client.send(new ConverseStreamCommand({ modelId: "m", messages }));
      for await (const event of stream) console.log(event.contentBlockDelta.delta.text);`,
    response: { type: "application/vnd.amazon.eventstream", body: token },
    printed: "Hello",
    url: "/model/m/converse-stream",
    body: /"text":"Hi"/,
  },
  kinesis: {
    code: `import { KinesisClient, PutRecordCommand } from "@aws-sdk/client-kinesis";
      import { NodeHttpHandler } from "@smithy/node-http-handler";
      const client = new KinesisClient({ requestHandler: new NodeHttpHandler() });
      const Data = Buffer.from("a");
      const { ShardId } = await client.send(new PutRecordCommand({ StreamName: "s", PartitionKey: "p", Data }));
      console.log(ShardId);`,
    response: json({ ShardId: "1", SequenceNumber: "1" }),
    printed: "1",
    url: "/",
    body: /"Data":"YQ=="/,
  },
  "step-functions": {
    code: send(
      "SFNClient",
      "StartExecutionCommand",
      { stateMachineArn: "arn:aws:states:us-east-1:1:stateMachine:s", input: "{}" },
      "response.startDate.getTime()",
    ),
    response: json({ executionArn: "e", startDate: 1 }),
    printed: "1000",
    url: "/",
    body: /stateMachineArn/,
  },
};

const project = temporaryDirectory(afterAll);
const packages = [...Object.values(packageOf), "s3-request-presigner"].map((name) => `@aws-sdk/${name}`);
const codes = Object.entries(cases).map(([name, { code }]) => [name, code]);
await bundleCode(Object.fromEntries(codes), [...packages, "@smithy/node-http-handler"], project);

it.each(Object.entries(cases))("the bundle with %s makes its call", async (name, expected) => {
  const { output, errors, requests } = await runBundle(name, project, expected.response);
  expect([output, errors]).toEqual([expected.printed, ""]);
  const { url, body } = requests.at(-1) ?? {};
  expect(url).toMatch(expected.url);
  expect(body).toMatch(expected.body);
});
