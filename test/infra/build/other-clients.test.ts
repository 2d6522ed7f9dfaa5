import { statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { bundleCode, runBundle, type StubResponse } from "../../support/infra/bundled-clients.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

const own = 'import { documentClient } from "../../lib/dynamodb/client.ts";';
const item = { type: "application/x-amz-json-1.0", body: '{"Item":{"pk":{"S":"a"},"seats":{"N":"8"}}}' };
const get = '{ TableName: "rooms", Key: { pk: { S: "a" } } }';

/** Code, what it prints, and what AWS sends, by default an item. */
const cases: Readonly<Record<string, readonly [string, string, StubResponse?]>> = {
  "its-own-client": [
    `${own} import { GetItemCommand } from "@aws-sdk/client-dynamodb";
    console.log((await documentClient().send(new GetItemCommand(${get}))).Item.seats.N);`,
    "8",
  ],
  "another-client-of-DynamoDB": [
    `import { DynamoDBClient as Client, GetItemCommand } from "@aws-sdk/client-dynamodb";
    console.log((await new Client().send(new GetItemCommand(${get}))).Item.seats.N);`,
    "8",
  ],
  "both-clients-of-DynamoDB": [
    `${own} import * as sdk from "@aws-sdk/client-dynamodb";
    for (const client of [documentClient(), new sdk.DynamoDBClient()])
      console.log((await client.send(new sdk.GetItemCommand(${get}))).Item.seats.N);`,
    "8\n8",
  ],
  "document-client": [
    `${own} import { DynamoDBDocument } from "@aws-sdk/lib-dynamodb";
    const document = DynamoDBDocument.from(documentClient());
    console.log((await document.get({ TableName: "rooms", Key: { pk: "a" } })).Item.seats);`,
    "8",
  ],
  "the-client-of-Lambda": [
    `import { InvokeCommand, LambdaClient } from "@aws-sdk/client-lambda";
    const { Payload } = await new LambdaClient().send(new InvokeCommand({ FunctionName: "f", Payload: "{}" }));
    console.log(Buffer.from(Payload).toString());`,
    '{"done":true}',
    { type: "application/json", body: '{"done":true}' },
  ],
};

const project = temporaryDirectory(afterAll);
const packages = ["client-dynamodb", "lib-dynamodb", "client-lambda"].map((name) => `@aws-sdk/${name}`);
const codes = Object.entries(cases).map(([name, [code]]) => [name, code]);
await bundleCode(Object.fromEntries(codes), packages, project);

const all = Object.entries(cases);
it.each(all)("a bundle with %s makes its call", async (name, [, printed, response = item]) => {
  const { output, errors, requests } = await runBundle(name, project, response);
  expect([output, errors]).toEqual([printed, ""]);
  expect(requests).toHaveLength(printed.split("\n").length);
});

it("only a bundle with other clients has all of the SDK", () => {
  const sizeOf = (name: string) => statSync(join(project, "bundles", name, "index.mjs")).size;
  const [small = 0, ...others] = Object.keys(cases).map(sizeOf);
  for (const size of others) expect(size).toBeGreaterThan(small * 1.2);
});
