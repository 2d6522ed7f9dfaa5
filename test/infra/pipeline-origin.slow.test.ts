import { execFileSync, spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { buffer, text } from "node:stream/consumers";
import { afterAll, expect, it } from "vitest";
import { SERVICE_NAME } from "../../lib/construct-ids.ts";
import { startLoopback } from "../../local/loopback.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const directory = temporaryDirectory(afterAll);
const name = ["-c", "user.name=test", "-c", "user.email=test@example.com"];

/** Serves a folder's repositories over HTTP to those who send a token as GitHub's users do, as `git http-backend` does. */
async function startPrivateGit(folder: string, token: string) {
  const expected = `Basic ${Buffer.from(`x-access-token:${token}`).toString("base64")}`;
  const server = await startLoopback(async (request, response) => {
    if (request.headers.authorization !== expected) {
      response.writeHead(401, { "www-authenticate": 'Basic realm="git"' }).end();
      return;
    }
    const { pathname, searchParams } = new URL(request.url ?? "", "http://git");
    const backend = spawn("git", ["http-backend"], {
      env: {
        ...process.env,
        ...{ GIT_PROJECT_ROOT: folder, GIT_HTTP_EXPORT_ALL: "1", REMOTE_USER: "x" },
        ...{ PATH_INFO: pathname, QUERY_STRING: String(searchParams) },
        REQUEST_METHOD: request.method,
        CONTENT_TYPE: request.headers["content-type"],
        HTTP_CONTENT_ENCODING: String(request.headers["content-encoding"] ?? ""),
        GIT_PROTOCOL: String(request.headers["git-protocol"] ?? ""),
      },
    });
    request.pipe(backend.stdin);
    const output = await buffer(backend.stdout);
    const end = output.indexOf("\r\n\r\n");
    const headers = output.subarray(0, end).toString().split("\r\n");
    const pairs = headers.map((line) => line.split(": ") as [string, string]);
    response.writeHead(200, Object.fromEntries(pairs)).end(output.subarray(end + 4));
  });
  return server;
}

/** A checkout of the newest commit, as the pipeline's, of a repository with an earlier one. */
function createCheckout(url: string) {
  const origin = join(directory, "origin.git");
  const work = join(directory, "work");
  mkdirSync(work);
  const git = (args: readonly string[], cwd = work) =>
    execFileSync("git", [...name, ...args], { cwd, encoding: "utf8" }).trim();
  git(["init", "-q", "-b", "main"]);
  cpSync(".ci", join(work, ".ci"), { recursive: true });
  git(["add", "--all"]);
  git(["commit", "-qm", "good"]);
  const good = git(["rev-parse", "HEAD"]);
  git(["commit", "-qm", "broken", "--allow-empty"]);
  git(["clone", "-q", "--bare", work, origin], directory);
  git(["config", "uploadpack.allowAnySHA1InWant", "true"], origin);
  const checkout = join(directory, "checkout");
  git(["clone", "-q", "--depth", "1", `file://${origin}`, checkout], directory);
  git(["remote", "set-url", "origin", `${url}/origin.git`], checkout);
  return { checkout, good };
}

async function rollBack(checkout: string, good: string, token: string) {
  mkdirSync(join(checkout, "cdk.out"), { recursive: true });
  for (const [file, content] of Object.entries({
    "outputs.json": { [`${SERVICE_NAME}-prod`]: { Url: "https://api.example.com" } },
    [`${SERVICE_NAME}-prod.template.json`]: { Resources: {} },
  }))
    writeFileSync(join(checkout, "cdk.out", file), JSON.stringify(content));
  const programs = mkdtempSync(join(directory, "programs-"));
  const gh = `case "$2" in *environment=*) echo '7 ${good}' ;; *) echo true ;; esac`;
  for (const [program, script] of Object.entries({ npx: "", npm: 'echo "npm $*"', gh }))
    writeFileSync(join(programs, program), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  const env = {
    ...{ PATH: `${programs}:${process.env.PATH}`, HOME: programs, GIT_TERMINAL_PROMPT: "0" },
    ...{ STAGE: "prod", GITHUB_REPOSITORY: "o/r", GITHUB_SHA: "new", GH_TOKEN: token },
  };
  const child = spawn("bash", [".ci/roll-back"], { cwd: checkout, env });
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { output, errors };
}

it("a rollback fetches the earlier commit of a private repository with the job's token", async () => {
  const token = "a-token-that-is-long-enough-for-base64-to-begin-a-second-line-of-its-output";
  const server = await startPrivateGit(directory, token);
  try {
    const { checkout, good } = createCheckout(server.url);
    const refused = await rollBack(checkout, good, "another");
    expect(refused).toMatchObject({ output: `Deploying ${good} again\n` });
    expect(refused.errors).toMatch(/Authentication failed|could not read Username/);

    const { output, errors } = await rollBack(checkout, good, token);
    expect(errors).toBe("");
    expect(output).toContain("npm run deploy -- --stage prod --synthesized --yes\n");
    const head = execFileSync("git", ["rev-parse", "HEAD"], { cwd: checkout, encoding: "utf8" });
    expect(head).toBe(`${good}\n`);
    // Nothing of the credentials stays in the checkout.
    const config = execFileSync("git", ["config", "--list", "--local"], { cwd: checkout, encoding: "utf8" });
    expect(config).not.toMatch(/extraheader/i);
  } finally {
    await server.close();
  }
});
