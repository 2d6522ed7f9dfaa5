import { EventStreamCodec } from "@smithy/core/event-streams";
import { fromUtf8, toUtf8 } from "@smithy/core/serde";
import { afterAll, expect, it } from "vitest";
import { bundleCode, runBundle } from "../../support/infra/bundled-clients.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

const token = new EventStreamCodec(toUtf8, fromUtf8).encode({
  headers: {
    ":message-type": { type: "string", value: "event" },
    ":event-type": { type: "string", value: "contentBlockDelta" },
    ":content-type": { type: "string", value: "application/json" },
  },
  body: Buffer.from('{"contentBlockIndex":0,"delta":{"text":"Hello"}}'),
});

/** They need modules that the service's own clients do without: S3's endpoints, presigned URLs, event streams. */
const cases = {
  s3: {
    code: `import { ListObjectsV2Command, S3Client } from "@aws-sdk/client-s3";
      const command = new ListObjectsV2Command({ Bucket: "plans" });
      const { Contents } = await new S3Client({ forcePathStyle: true }).send(command);
      console.log(Contents[0].Key);`,
    response: {
      type: "application/xml",
      body: "<ListBucketResult><Contents><Key>a.pdf</Key></Contents></ListBucketResult>",
    },
    printed: "a.pdf",
    url: /^\/plans\/\?list-type=2$/,
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
  },
  // It uses HTTP/2 by default, which the stub does not have.
  bedrock: {
    code: `import { BedrockRuntimeClient, ConverseStreamCommand } from "@aws-sdk/client-bedrock-runtime";
      import { NodeHttpHandler } from "@smithy/node-http-handler";
      const client = new BedrockRuntimeClient({ requestHandler: new NodeHttpHandler() });
      const messages = [{ role: "user", content: [{ text: "Hi" }] }];
      const { stream } = await client.send(new ConverseStreamCommand({ modelId: "m", messages }));
      for await (const event of stream) console.log(event.contentBlockDelta.delta.text);`,
    response: { type: "application/vnd.amazon.eventstream", body: token },
    printed: "Hello",
    url: /^\/model\/m\/converse-stream$/,
  },
};

const project = temporaryDirectory(afterAll);
const packages = ["client-s3", "s3-request-presigner", "client-bedrock-runtime"];
const codes = Object.entries(cases).map(([name, { code }]) => [name, code]);
const names = [...packages.map((name) => `@aws-sdk/${name}`), "@smithy/node-http-handler"];
await bundleCode(Object.fromEntries(codes), names, project);

it.each(Object.entries(cases))("the bundle with %s makes its call", async (name, expected) => {
  const { output, errors, requests } = await runBundle(name, project, expected.response);
  expect([output, errors]).toEqual([expected.printed, ""]);
  expect(requests.at(-1)).toMatch(expected.url);
});
