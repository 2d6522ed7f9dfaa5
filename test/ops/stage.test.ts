import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { openStage } from "../../ops/stage.ts";

const secretArn = "arn:aws:secretsmanager:eu-west-1:123456789012:secret:SigningSecrets-AbCdEf";

function resource(type: string, logicalId: string, physicalId: string): string {
  return (
    `<member><LogicalResourceId>${logicalId}</LogicalResourceId><ResourceType>${type}</ResourceType>` +
    `<PhysicalResourceId>${physicalId}</PhysicalResourceId></member>`
  );
}

/** Two pages, with resources of similar names before the wanted ones. */
const pages = [
  resource("AWS::SecretsManager::Secret", "SigningSecretsOther6CB5CD0E", "other") +
    resource("AWS::Logs::LogGroup", "ProductsTable0A1B2C3D", "logs"),
  resource("AWS::SecretsManager::Secret", "SigningSecrets6CB5CD0E", secretArn) +
    resource("AWS::DynamoDB::Table", "ProductsTable12AB34CD", "resource-api-dev-ProductsTable"),
];

/** CloudFormation with the stack `resource-api-dev`. */
function respond(form: URLSearchParams): [number, string] {
  if (form.get("StackName") !== "resource-api-dev") {
    const message = `Stack with id ${form.get("StackName")} does not exist`;
    const error = `<Type>Sender</Type><Code>ValidationError</Code><Message>${message}</Message>`;
    return [400, `<ErrorResponse><Error>${error}</Error></ErrorResponse>`];
  }
  const page = Number(form.get("NextToken") ?? 0);
  const next = page + 1 < pages.length ? `<NextToken>${page + 1}</NextToken>` : "";
  const result = `<StackResourceSummaries>${pages[page]}</StackResourceSummaries>${next}`;
  const body = `<ListStackResourcesResult>${result}</ListStackResourcesResult>`;
  return [200, `<ListStackResourcesResponse>${body}</ListStackResourcesResponse>`];
}

let server: Server;
beforeAll(async () => {
  server = createServer(async (request, response) => {
    const [status, body] = respond(new URLSearchParams(await text(request)));
    response.writeHead(status, { "content-type": "text/xml" }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  vi.stubEnv("AWS_ENDPOINT_URL_CLOUDFORMATION", `http://127.0.0.1:${port}`);
  vi.stubEnv("AWS_REGION", "eu-west-1");
  vi.stubEnv("AWS_ACCESS_KEY_ID", "test");
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", "test");
});
afterAll(() => {
  vi.unstubAllEnvs();
  server.closeAllConnections();
  server.close();
});

describe("a deployed stage", () => {
  it("finds its tables and secrets on any page of the stack's resources", async () => {
    const stage = await openStage("dev", ".data");
    expect(stage.table("products")).toBe("resource-api-dev-ProductsTable");
    expect(stage.secret("SigningSecrets")).toBe(secretArn);
    expect(() => stage.table("orders")).toThrow(
      "The stack resource-api-dev has no OrdersTable: deploy this version first.",
    );
    stage.close();
  });

  it("must exist", async () => {
    await expect(openStage("prod", ".data")).rejects.toThrow(
      "There is no stack resource-api-prod in eu-west-1",
    );
    await expect(openStage("test", ".data")).rejects.toThrow('There is no stage "test"');
  });
});
