import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { runCommand } from "../../cli/command.ts";
import { type Break, breaks } from "./breaks.ts";
import { GENERATOR, type Session, sessions, shellFunctions } from "./sessions.ts";

const pythonTools = [
  "openapi-spec-validator==0.9.0",
  "schemathesis==4.32.5",
  "datamodel-code-generator==0.89.0",
  "openapi-python-client==0.29.1",
  "fastmcp==4.1.2",
  "urllib3>=2.7",
  "python-dateutil==2.9.0.post0",
];
const nodeTools = [
  "@hey-api/openapi-ts@0.95.0",
  "@types/node@24",
  "axios@1.21.1",
  "esbuild@0.28.2",
  "newman@6.2.2",
  "openapi-to-postmanv2@6.3.3",
  "typescript@5.9.3",
  "zod@4.6.7",
];
/** Of the 57 requests of the collection some fail on purpose, and one deletes what another has deleted. */
const MIN_SUCCESSES = 50;

const credentials = { ADMIN_PASSWORD: "Compatible1", API_KEYS: "compatibility-key-of-at-least-32-bytes" };
const person = { username: "ada", email: "ada@example.com", password: "Analytical1" };

interface Check {
  readonly name: string;
  /** The programs that it starts, and files that it reads. */
  readonly needs: readonly string[];
  run(): Promise<string> | string;
}

/** Runs the checks one after the other, then those that must notice a broken document. @returns the exit code */
async function check(checks: readonly Check[], document: string, only: string): Promise<number> {
  let failures = 0;
  const noticing = breaks.map((each): Check => {
    const { needs = [], run = () => "" } = checks.find(({ name }) => name === each.red) ?? {};
    return { name: each.name, needs, run: () => noticed(each, document, run) };
  });
  for (const { name, needs, run } of [...checks, ...noticing].filter((each) => each.name.includes(only))) {
    const missing = needs.filter((need) => spawnSync("which", [need]).status !== 0 && !existsSync(need));
    const result = missing.length > 0 ? `left out: no ${missing.join(", ")}` : await resultOf(run);
    if (result.startsWith("FAILED")) failures += 1;
    process.stdout.write(`| ${name} | ${result} |\n`);
  }
  return failures === 0 ? 0 : 1;
}

async function resultOf(run: Check["run"]): Promise<string> {
  try {
    return await run();
  } catch (error) {
    return `FAILED\n${error instanceof Error ? error.message : error}`;
  }
}

/** Expects a check to fail, with a broken document, for the reason given. */
async function noticed({ change, because, red }: Break, path: string, run: Check["run"]): Promise<string> {
  const document = readFileSync(path, "utf8");
  const broken = JSON.parse(document);
  change(broken);
  writeFileSync(path, JSON.stringify(broken));
  const message = await resultOf(run);
  writeFileSync(path, document);
  if (!message.startsWith("FAILED") || !because.test(message))
    throw new Error(`${red} should have failed with ${because}: ${message}`);
  return `${red} is red`;
}

/** @param token of an administrator */
function checksIn(directory: string, url: string, token: string): Check[] {
  const installed = new Set<string>();
  const run = (command: string, ...words: string[]) => execute(directory, [...command.split(" "), ...words]);

  function install(what: string, command: string): void {
    if (!installed.has(what)) run(command);
    installed.add(what);
  }

  function python(command: string, ...words: string[]): string {
    install("venv", "python3 -m venv tools");
    install("python", `tools/bin/pip install -q ${pythonTools.join(" ")}`);
    return run(`tools/bin/${command}`, ...words);
  }

  function node(command: string, ...words: string[]): string {
    install("node", `npm install --no-audit --no-fund --loglevel=error ${nodeTools.join(" ")}`);
    return run(`node_modules/.bin/${command}`, ...words);
  }

  function models(): string {
    const options = "--input-file-type openapi --output-model-type pydantic_v2.BaseModel";
    python(`datamodel-codegen --input openapi.json --output models.py ${options}`);
    const program = `import models, pydantic
for email in (${JSON.stringify(person.email)}, "none"):
    try: print(models.UserCreate(**${JSON.stringify(person)} | {"email": email}).email)
    except pydantic.ValidationError: print("refused")`;
    const found = python("python -c", program);
    if (found !== `${person.email}\nrefused`) throw new Error(`It says ${found}`);
    return "accepts a registration, refuses an e-mail";
  }

  function play({ uses, script }: Session): string {
    if (uses.includes("generator")) {
      const artifact = `-Dartifact=org.openapitools:openapi-generator-cli:${GENERATOR}`;
      install("generator", `mvn -q -B dependency:copy ${artifact} -DoutputDirectory=.`);
    }
    if (uses.includes("python")) python("python --version");
    if (uses.includes("node")) node("tsc --version");
    const variables = `SESSIONS='${resolve("test/compatibility/sessions")}'; URL=${url}`;
    const steps = run("bash -ec", `${variables}${shellFunctions}\n${script}`).match(/^passed: .*/gm);
    return steps ? `steps passed: ${steps.length}` : "compiles";
  }

  function heyApi(): string {
    node("openapi-ts -i openapi.json -o hey-api -p zod");
    const options = "--bundle --format=esm --platform=node --outfile=validators.mjs --allow-overwrite";
    node(`esbuild hey-api/zod.gen.ts ${options}`);
    const program = `import { zRegisterAccountBody as body } from "./validators.mjs";
      const person = ${JSON.stringify(person)};
      console.log([person, { ...person, password: "short" }].map((each) => body.safeParse(each).success).join());`;
    const found = run("node --input-type=module -e", program);
    if (found !== "true,false") throw new Error(`It says ${found} for a valid and an invalid registration`);
    return "accepts a registration, refuses a short password";
  }

  /** Runs the collection: deletions last, optional parameters off, because some exclude each other. */
  function newman(): string {
    const options = "parametersResolution=Example,enableOptionalParameters=false";
    node(`openapi2postmanv2 -s openapi.json -o collection.json -O ${options}`);
    const path = join(directory, "collection.json");
    const collection: Folder = JSON.parse(readFileSync(path, "utf8"));
    const requests = requestsOf(collection);
    const isDeletion = ({ request }: Folder) => request?.method === "DELETE";
    const item = [...requests.filter((each) => !isDeletion(each)), ...requests.filter(isDeletion).reverse()];
    writeFileSync(path, JSON.stringify({ ...collection, item }));
    const variables = { baseUrl: url, bearerToken: token, apiKey: credentials.API_KEYS };
    const values = Object.entries(variables).map(([key, value]) => `--env-var ${key}=${value}`);
    const report = "--reporters json --reporter-json-export newman.json";
    node(`newman run collection.json ${values.join(" ")} --ignore-redirects ${report}`);
    const result = JSON.parse(readFileSync(join(directory, "newman.json"), "utf8"));
    const executions: Execution[] = result.run.executions;
    const failures = executions.filter(({ response }) => (response?.code ?? 500) >= 400);
    const list = failures.map(({ item, response }) => `${response?.code} ${item.name}`).join("; ");
    const successes = executions.length - failures.length;
    const found = `${successes} of ${executions.length} requests succeed (not: ${list})`;
    if (successes < MIN_SUCCESSES) throw new Error(found);
    return found;
  }

  function schemathesis(): string {
    const conformance = "response_schema_conformance,status_code_conformance,content_type_conformance";
    const checks = `--checks not_a_server_error,${conformance}`;
    const options = "--max-examples 5 --seed 1 --suppress-health-check all --no-color";
    const headers = [`X-API-Key: ${credentials.API_KEYS}`, `Authorization: Bearer ${token}`];
    const generated = [[], ["Accept: application/problem+json"], ["Content-Encoding: gzip"]].map((more) => {
      const words = [...headers, ...more].flatMap((header) => ["-H", header]);
      const output = python(`schemathesis run openapi.json --url ${url} ${checks} ${options}`, ...words);
      return /(\d+) generated/.exec(output)?.[1];
    });
    return `${generated.join(", ")} requests, the second for problem details, the third compressed: no finding`;
  }

  const withPython = ["python3"];
  return [
    {
      name: "openapi-spec-validator",
      needs: withPython,
      run: () => python("openapi-spec-validator openapi.json"),
    },
    { name: "datamodel-codegen", needs: withPython, run: models },
    ...sessions.map((each) => ({
      ...{ name: each.name, needs: ["bash", ...each.needs] },
      run: () => play(each),
    })),
    { name: "hey-api with zod", needs: ["node"], run: heyApi },
    { name: "newman", needs: ["node"], run: newman },
    { name: "schemathesis", needs: withPython, run: schemathesis },
  ];
}

interface Execution {
  readonly item: { readonly name: string };
  readonly response?: { readonly code: number };
}

interface Folder {
  readonly name?: string;
  readonly item?: readonly Folder[];
  readonly request?: { readonly method: string };
}

function requestsOf({ item = [] }: Folder): Folder[] {
  return item.flatMap((each) => (each.request ? [each] : requestsOf(each)));
}

/** Runs a program. @returns its output. @throws Error with the end of it, if it fails */
function execute(cwd: string, [program = "", ...args]: readonly string[]): string {
  const file = program.includes("/") ? join(cwd, program) : program;
  const options = { cwd, encoding: "utf8", maxBuffer: 2 ** 28 } as const;
  const { status, stdout, stderr, error } = spawnSync(file, args, options);
  if (error || status !== 0)
    throw new Error(`${program} ${args[0]}: ${error ?? (stdout + stderr).slice(-3_000)}`);
  return stdout.trim();
}

/** @throws Error if the program ends first, or after two minutes */
async function responding(url: string, program: ChildProcess): Promise<void> {
  const ended = once(program, "exit").then(() => true);
  for (let attempt = 0; attempt < 240; attempt += 1) {
    if ((await fetch(url).catch(() => undefined))?.ok) return;
    if (await Promise.race([ended, sleep(500, false)])) break;
  }
  throw new Error(`Nothing responds at ${url}`);
}

async function send(url: string, body: unknown) {
  const headers = { "content-type": "application/json" };
  const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`POST ${url}: ${response.status} ${await response.text()}`);
  return (await response.json()) as { readonly access_token?: string };
}

await runCommand({
  name: "npm run compatibility",
  description: `Reads docs/openapi.json with the tools of others: generates clients in five languages, of which those in
Python, Go and Java have a session with a local run, and runs validators and fuzzers; then it breaks the document in five
ways, which they must notice. Tools are installed into a temporary
directory; those whose runtime is not here are left out.`,
  options: {
    only: { type: "string", placeholder: "text", description: "only tools whose name contains it" },
    port: { type: "integer", min: 1, max: 65_535, default: 9400, description: "port of the local run" },
  },
  run: async ({ only = "", port }) => {
    const directory = mkdtempSync(join(tmpdir(), "compatibility-"));
    const url = `http://localhost:${port}`;
    const document = join(directory, "openapi.json");
    copyFileSync("docs/openapi.json", document);
    writeFileSync(join(directory, "package.json"), '{"type":"module"}');
    const settings = { ...credentials, PORT: String(port), DATA_DIR: "memory", LOG_LEVEL: "ERROR" };
    const env = { ...process.env, ...settings };
    const service = spawn("node", ["local/launch.cjs", "local/start.ts"], { env, stdio: "ignore" });
    try {
      await responding(`${url}/health`, service);
      const objects = await fetch(`${url}/openapi.json?lists=objects`);
      writeFileSync(join(directory, "objects.json"), await objects.text());
      await send(`${url}/users/`, person);
      const admin = { username: "admin", password: credentials.ADMIN_PASSWORD };
      const { access_token: token = "" } = await send(`${url}/auth/login`, admin);
      return await check(checksIn(directory, url, token), document, only);
    } finally {
      service.kill();
      rmSync(directory, { recursive: true, force: true });
    }
  },
});
