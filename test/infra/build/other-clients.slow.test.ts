import { EventStreamCodec } from "@smithy/core/event-streams";
import { fromUtf8, toUtf8 } from "@smithy/core/serde";
import { afterAll, expect, it } from "vitest";
import { bundleCode, runBundle, type StubResponse } from "../../support/infra/bundled-clients.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

interface Case {
  readonly code: string;
  readonly response: StubResponse;
  readonly expected: readonly [printed: string, lastUrl: string | RegExp, lastBody: string | RegExp];
}

const json = (body: object) => ({ type: "application/x-amz-json-1.1", body: JSON.stringify(body) });
const xml = (body: string) => ({ type: "application/xml", body });
const send = (client: string, call: string, result: string, options = "") =>
  `import { ${client}Client, ${call.split("(")[0]} } from "@aws-sdk/client-${client.toLowerCase()}";
  const response = await new ${client}Client({ ${options} }).send(new ${call});
  console.log(response.${result});`;
/** For a client that uses HTTP/2 by default, which the stub does not have. */
const overHttp1 = (client: string, packageName: string, command: string) =>
  `import { ${client}, ${command} } from "@aws-sdk/${packageName}";
  import { NodeHttpHandler } from "@smithy/node-http-handler";
  const client = new ${client}({ requestHandler: new NodeHttpHandler() });`;

const token = new EventStreamCodec(toUtf8, fromUtf8).encode({
  headers: {
    ":message-type": { type: "string", value: "event" },
    ":event-type": { type: "string", value: "contentBlockDelta" },
    ":content-type": { type: "string", value: "application/json" },
  },
  body: Buffer.from('{"contentBlockIndex":0,"delta":{"text":"Hello"}}'),
});

const pathStyle = "forcePathStyle: true";
const mail = `{
  FromEmailAddress: "a@example.com",
  Destination: { ToAddresses: ["b@example.com"] },
  Content: { Simple: { Subject: { Data: "Hi" }, Body: { Text: { Data: "Hi" } } } },
}`;
const message = '{ QueueUrl: "https://sqs.us-east-1.amazonaws.com/1/q", MessageBody: "a" }';
const event = '{ Source: "rooms", DetailType: "booked", Detail: "{}" }';
const execution = '{ stateMachineArn: "arn:aws:states:us-east-1:1:stateMachine:s", input: "{}" }';

const cases: Readonly<Record<string, Case>> = {
  s3: {
    code: send("S3", 'ListObjectsV2Command({ Bucket: "plans" })', "Contents[0].Key", pathStyle),
    response: xml("<ListBucketResult><Contents><Key>a.pdf</Key></Contents></ListBucketResult>"),
    expected: ["a.pdf", "/plans/?list-type=2", ""],
  },
  upload: {
    code: send("S3", 'PutObjectCommand({ Bucket: "plans", Key: "a.pdf", Body: "plan" })', "ETag", pathStyle),
    response: xml(""),
    expected: ["undefined", "/plans/a.pdf?x-id=PutObject", /plan/],
  },
  presigned: {
    code: `import { GetObjectCommand, S3Client } from "@aws-sdk/client-s3";
      import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
      const command = new GetObjectCommand({ Bucket: "plans", Key: "a.pdf" });
      const url = await getSignedUrl(new S3Client({ forcePathStyle: true }), command, { expiresIn: 60 });
      const { status } = await fetch(url);
      console.log(status, new URL(url).searchParams.get("X-Amz-Expires"));`,
    response: { type: "application/pdf", body: "plan" },
    expected: ["200 60", /^\/plans\/a\.pdf\?.*X-Amz-Signature=[0-9a-f]{64}/, ""],
  },
  sqs: {
    code: send(
      "SQS",
      `SendMessageCommand(${message})`,
      "MessageId",
      "useQueueUrlAsEndpoint: false, md5: false",
    ),
    response: json({ MessageId: "1" }),
    expected: ["1", "/", /"MessageBody":"a"/],
  },
  ses: {
    code: send("SESv2", `SendEmailCommand(${mail})`, "MessageId"),
    response: json({ MessageId: "1" }),
    expected: ["1", "/v2/email/outbound-emails", /b@example\.com/],
  },
  eventbridge: {
    code: send("EventBridge", `PutEventsCommand({ Entries: [${event}] })`, "Entries[0].EventId"),
    response: json({ Entries: [{ EventId: "1" }] }),
    expected: ["1", "/", /"DetailType":"booked"/],
  },
  bedrock: {
    code: `${overHttp1("BedrockRuntimeClient", "client-bedrock-runtime", "ConverseStreamCommand")}
      const messages = [{ role: "user", content: [{ text: "Hi" }] }];
      const { stream } = await client.send(new ConverseStreamCommand({ modelId: "m", messages }));
      for await (const event of stream) console.log(event.contentBlockDelta.delta.text);`,
    response: { type: "application/vnd.amazon.eventstream", body: token },
    expected: ["Hello", "/model/m/converse-stream", /"text":"Hi"/],
  },
  kinesis: {
    code: `${overHttp1("KinesisClient", "client-kinesis", "PutRecordCommand")}
      const Data = Buffer.from("a");
      const { ShardId } = await client.send(new PutRecordCommand({ StreamName: "s", PartitionKey: "p", Data }));
      console.log(ShardId);`,
    response: json({ ShardId: "1", SequenceNumber: "1" }),
    expected: ["1", "/", /"Data":"YQ=="/],
  },
  "step-functions": {
    code: send("SFN", `StartExecutionCommand(${execution})`, "startDate.getTime()"),
    response: json({ executionArn: "e", startDate: 1 }),
    expected: ["1000", "/", /stateMachineArn/],
  },
};

const project = temporaryDirectory(afterAll);
const clients = ["bedrock-runtime", "eventbridge", "kinesis", "s3", "sesv2", "sfn", "sqs"];
const packages = [...clients.map((name) => `client-${name}`), "s3-request-presigner"];
const codes = Object.entries(cases).map(([name, { code }]) => [name, code]);
await bundleCode(
  Object.fromEntries(codes),
  [...packages.map((name) => `@aws-sdk/${name}`), "@smithy/node-http-handler"],
  project,
);

it.each(Object.entries(cases))("the bundle with %s makes its call", async (name, { response, expected }) => {
  const { output, errors, requests } = await runBundle(name, project, response);
  const [printed, lastUrl, lastBody] = expected;
  expect([output, errors]).toEqual([printed, ""]);
  expect(requests.at(-1)?.url).toMatch(lastUrl);
  expect(requests.at(-1)?.body).toMatch(lastBody);
});
