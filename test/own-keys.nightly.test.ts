import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { copyWithExampleAreas, shell } from "./support/programs/project-copy.ts";
import { temporaryDirectory } from "./support/temporary-directory.ts";

const copy = join(temporaryDirectory(afterAll), "project");

const run = (commands: string) => shell(copy, commands);
const read = (file: string) => readFileSync(join(copy, file), "utf8");

function edit(file: string, ...changes: readonly (readonly [from: string, to: string])[]): void {
  let text = read(file);
  for (const [from, to] of changes) {
    if (!text.includes(from)) throw new Error(`${file} has no ${from}`);
    text = text.replace(from, to);
  }
  writeFileSync(join(copy, file), text);
}

/** A service whose comments need the key of a room, which its creation returns, and whose creations return an id only; names change. */
beforeAll(() => {
  copyWithExampleAreas(copy);
  writeFileSync(
    join(copy, "lib/auth/room-key.ts"),
    `import type { Authorizer } from "../http/route.ts";
    import { apiKey, invalidApiKey } from "./api-keys.ts";
    export const roomKey: Authorizer<unknown, undefined> = {
      scheme: "apiKey",
      issuedBy: { route: "POST /rooms", field: "key" },
      errors: apiKey.errors,
      authorize: async ({ "x-api-key": key }) => {
        if (!key?.startsWith("key of room ")) throw invalidApiKey();
      },
    };`,
  );
  edit("lib/validators/room.ts", [
    "export const Room =",
    'export const CreatedRoom = named("CreatedRoom", z.object({ id, key: z.string() }));\nexport const Room =',
  ]);
  edit(
    "functions/rooms/routes.ts",
    ["import { Room,", "import { CreatedRoom, Room,"],
    ["responses: { 201: Room }", "responses: { 201: CreatedRoom }"],
    [
      "created(await rooms.create({ ...body, occupied_by: null }, idempotency))",
      `{
        const creation = await rooms.create({ ...body, occupied_by: null }, idempotency);
        const { id } = creation.record;
        return created(creation, { id, key: \`key of room \${id}\` });
      }`,
    ],
    ["rooms.update(id, body, ", "rooms.update(id, { ...body, name: body.name.toUpperCase() }, "],
  );
  edit(
    "functions/rooms/area.ts",
    ["fields: {", 'fields: { "CreatedRoom.key": "For its comments",'],
    ["examples: {", 'examples: { CreatedRoom: { id: 1, key: "key of room 1" },'],
  );
  const comments = read("functions/comments/routes.ts")
    .replaceAll(/^ {4}operationId/gm, "    authorizer: roomKey,\n    operationId")
    .replace("import ", 'import { roomKey } from "../../lib/auth/room-key.ts";\nimport ');
  writeFileSync(join(copy, "functions/comments/routes.ts"), comments);
  run("npx tsc -p . --singleThreaded && npm run --silent generate -- document");
});

const vitest = "npx vitest run --config test/vitest.config.ts --root .";

it("requests.http uses the key that a route returns, and succeeds", () => {
  const text = read("docs/examples/requests.http");
  expect(text).toContain("X-API-Key: {{createRoom.response.body.key}}");
  expect(text).toContain("X-API-Key: {{apiKey}}");
  run(`${vitest} --project stack --project unit test/requests.test.ts test/infra/documentation/page.test.ts`);
});

it("the document says which route returns the key", () => {
  const { info } = JSON.parse(read("docs/openapi.json"));
  expect(info.description).toMatch(
    /\*\*With a key in `X-API-Key`, which `POST \/rooms` returns:\*\* `GET \/rooms\/\{room_id\}\/comments`/,
  );
});

it.each([
  ["the specs of the protocol", "api in process", "test/api/protocol"],
  // It accepts what is not returned as it was sent.
  ["the smoke test", "gateway", "test/gateway/routes.test.ts"],
  ["the tests of access rules", "slow: programs", "test/functions/access.slow.test.ts"],
])("it is sent by %s", (_, project, file) => {
  run(`${vitest} --project "${project}" ${file}`);
});
