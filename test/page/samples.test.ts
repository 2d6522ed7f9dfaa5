import { execFile } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, expect, it, onTestFinished } from "vitest";
import { createClient, type Result } from "../../client/index.js";
import { allRoutes } from "../../functions/definitions.ts";
import { referencesOf } from "../../functions/example-requests.ts";
import { statusesOfExample } from "../support/own-access.ts";
import { runInMemory } from "../support/programs/run.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { openPage, useBrowser } from "./browser.ts";

useBrowser();
const directory = temporaryDirectory(afterAll);
mkdirSync(join(directory, "node_modules"));
symlinkSync(resolve("client"), join(directory, "node_modules/resource-api"));
writeFileSync(join(directory, ".curlrc"), 'silent\nwrite-out = "\\n%{http_code}\\n"');

/** What needs a record of its own comes first, what takes one away last. */
const methods = ["POST", "GET", "PUT", "PATCH", "DELETE"];

/** Creations of records that refer to others come after these. */
const depthOf = (key: string): number => Math.max(-1, ...referencesOf(key).map(depthOf)) + 1;
const statusesById = new Map(allRoutes.map((route) => [route.operationId, statusesOfExample(route)]));
const depths = new Map(allRoutes.map(({ operationId, key }) => [operationId, depthOf(key)]));

/** `deletePost` has deleted the post of the other sample. */
const missing = ["deleteUserPost"];

/** They end the token that they send. Each gets that of a new account with the password of its example. */
const endingTokens = ["changeOwnPassword", "deleteOwnAccount"];
const examplePassword = "Analytical1";

const separator = "----";

/** Each program runs all samples of its language as they were copied, with a line between them. */
const programs: Readonly<Record<string, { command: string; program(samples: string[]): string[] }>> = {
  curl: { command: "bash", program: (samples) => samples.map((code) => `${code}\necho ${separator}`) },
  javascript: {
    command: process.execPath,
    program: (samples) => samples.map((code) => `{\n${code}\nconsole.log("${separator}");\n}`),
  },
  python: {
    command: "python3",
    program: (samples) => [
      "try:\n    import requests\nexcept ImportError:\n    import sys",
      `    sys.path.append(${JSON.stringify(resolve("test/page"))})`,
      ...samples.map((code) => `${code}\nprint("${separator}")`),
    ],
  },
  client: {
    command: "bash",
    // Also compiled, with the modules' imports once.
    program: (samples) => [
      "cat > calls.mts <<'END'",
      'import { createClient } from "resource-api";',
      ...samples.map((code) => `{\n${code.replace(/^import .*$/m, "")}\nconsole.log("${separator}");\n}`),
      "END",
      `${resolve("node_modules/.bin/tsc")} --noEmit --strict --module nodenext --target es2022 \\`,
      `  --ignoreConfig --typeRoots ${resolve("node_modules/@types")} --types node calls.mts && ${process.execPath} calls.mts`,
    ],
  },
};

type Client = ReturnType<typeof createClient>;

async function succeed<T>(request: Promise<Result<T>>): Promise<T> {
  const { data, error } = await request;
  if (error) throw error;
  return data;
}

async function logIn(client: Client, username: string, password: string): Promise<string> {
  return (await succeed(client.POST("/auth/login", { body: { username, password } }))).access_token;
}

async function tokenOfNew(client: Client, username: string): Promise<string> {
  const account = { username, password: examplePassword, email: `${username}@example.com` };
  await succeed(client.POST("/users/", { body: account }));
  return logIn(client, username, examplePassword);
}

const languages = Object.entries(programs);
it.each(languages)("every sample runs as it is copied: %s", async (language, { command, program }) => {
  const run = await runInMemory({ withDemo: true });
  onTestFinished(() => run.close());
  const { page } = await openPage(`${run.url}/docs`);
  await page.locator(`[data-language=${language}]`).first().click();
  const forms = await page.locator("form.operation").evaluateAll((all) =>
    (all as HTMLFormElement[]).map((form) => ({
      id: form.id,
      method: form.dataset.method ?? "",
      documented: form.querySelector(".result .status")?.textContent ?? "",
      code: form.querySelector(".sample pre")?.textContent ?? "",
    })),
  );
  const depth = ({ id, method }: (typeof forms)[number]) => (method === "POST" ? (depths.get(id) ?? 0) : 0);
  const inOrder = forms.toSorted(
    (a, b) => methods.indexOf(a.method) - methods.indexOf(b.method) || depth(a) - depth(b),
  );
  const { AdminPassword: password = "", ApiKeys: keys = "" } = run.secrets();
  const client = createClient({ baseUrl: run.url });
  const file = join(directory, `samples-${language}.mjs`);
  const runSamples = async (samples: readonly { readonly code: string }[], TOKEN: string) => {
    writeFileSync(file, program(samples.map(({ code }) => code)).join("\n"));
    const env = { PATH: process.env.PATH, CURL_HOME: directory, TOKEN, API_KEY: keys.split(",")[0] };
    const options = { cwd: directory, maxBuffer: 100_000_000, env };
    const { stdout, stderr } = await promisify(execFile)(command, [file], options);
    expect(stderr).toBe("");
    return stdout.split(`${separator}\n`).slice(0, -1);
  };
  const ending = inOrder.filter(({ id }) => endingTokens.includes(id));
  const others = inOrder.filter((sample) => !ending.includes(sample));
  const outputs = await runSamples(others, await logIn(client, "admin", password));
  for (const sample of ending)
    outputs.push(...(await runSamples([sample], await tokenOfNew(client, sample.id))));
  const operations = [...others, ...ending];
  const statusOf = (output = "") => (language === "curl" ? /(\d{3})\s*$/ : /^(\d{3})/).exec(output)?.[1];
  const expected = operations.map(({ id, documented }) => {
    // curl does not follow a redirect.
    const isFollowed = documented === "302" && language !== "curl";
    return [id, missing.includes(id) ? "404" : isFollowed ? "200" : documented];
  });
  const actual = operations.map(({ id, documented }, i) => {
    const status = statusOf(outputs[i]);
    return [id, statusesById.get(id)?.includes(Number(status)) ? documented : status];
  });
  expect(actual).toEqual(expected);
});
