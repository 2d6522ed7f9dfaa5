import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterAll, describe, expect, it } from "vitest";
import { allRoutes } from "../../../functions/definitions.ts";
import { Documentation } from "../../../functions/system/documentation.ts";
import { writeDocumentation } from "../../../infra/build/documentation.ts";
import { resolveAccess } from "../../../infra/settings/access.ts";
import { ruleOf } from "../../../lib/auth/access.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

const root = temporaryDirectory(afterAll);
const directory = join(root, "documentation");
mkdirSync(directory);
writeFileSync(join(directory, "stale.gz"), "");
const domain = { name: "api.example.com", certificateArn: "" };
const settings = { access: {}, areaSettings: {}, domain };
await writeDocumentation(directory, settings);

const list: Record<string, { type: string; cacheControl: string }> = JSON.parse(
  readFileSync(join(directory, "files.json"), "utf8"),
);

function filesBelow(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return names.filter((name) => statSync(join(folder, name)).isFile()).sort();
}

async function textIn(folder: string, name: string): Promise<string> {
  const file = await new Documentation(folder).file(name, undefined);
  return Buffer.from(file?.body ?? "").toString();
}

describe("the documentation's files", () => {
  it("are the listed ones in two encodings, without earlier ones, and the same when written again", async () => {
    const expected = Object.keys(list).flatMap((name) => [`${name}.br`, `${name}.gz`]);
    expect(filesBelow(directory)).toEqual([...expected, "files.json"].sort());
    // So a deployment has nothing to change.
    const again = join(root, "again");
    await writeDocumentation(again, settings);
    for (const name of filesBelow(directory))
      expect(readFileSync(join(again, name)).equals(readFileSync(join(directory, name))), name).toBe(true);
  });

  it("contain the domain of the deployment", async () => {
    const { servers } = JSON.parse(await textIn(directory, "openapi.json"));
    expect(servers.map(({ url }: { url: string }) => url)).toEqual([".", "https://api.example.com"]);
  });

  it("say of each operation who may call it, with access rules", async () => {
    const folder = join(root, "restricted");
    const access = resolveAccess(["owner", "accounts.create:admin"]);
    await writeDocumentation(folder, { ...settings, access });
    const { paths }: { paths: Record<string, Record<string, { description: string; responses: object }>> } =
      JSON.parse(await textIn(folder, "openapi.json"));
    const own = "requires the token of an account, and shows it its own records only.";
    const owned = allRoutes.filter((route) => ruleOf(route, access) === "owner");
    for (const { pattern, method } of owned)
      expect(paths[pattern]?.[method.toLowerCase()]?.description, pattern).toContain(own);
    expect(paths["/users/"]?.post?.description).toContain("requires the token of an administrator.");
    expect(paths["/users/batch"]?.post?.responses).toMatchObject({ 401: {}, 403: {} });
    for (const { description } of Object.values(paths).flatMap((each) => Object.values(each)))
      expect(description).toMatch(/ (Anyone may call it|This deployment requires (a|the) [^.]*)\.$/);
    expect((await textIn(folder, "index.html")).includes(own)).toBe(owned.length > 0);
  });

  it.each(Object.keys(list))("have the same content in every encoding: %s", async (name) => {
    const documentation = new Documentation(directory);
    const plain = await documentation.file(name, undefined);

    expect(plain?.headers).not.toHaveProperty("content-encoding");
    for (const [coding, decode] of Object.entries({ gzip: gunzipSync, br: brotliDecompressSync })) {
      const file = await documentation.file(name, coding as "gzip" | "br");
      expect(file?.headers).toMatchObject({ "content-encoding": coding, "content-type": list[name]?.type });
      expect(decode(file?.body ?? "").equals(Buffer.from(plain?.body ?? ""))).toBe(true);
    }
  });
});
