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

/** Runs the checks one after the other, then those that must notice a broken document. @returns the exit code */
async function check(tools: Tools, only: string): Promise<number> {
  let failures = 0;
  const isChosen = ({ name }: { readonly name: string }) => name.includes(only);
  const report = async ({ name, needs }: Omit<Check, "run">, run: () => Promise<string>) => {
    const missing = needs.filter((need) => spawnSync("which", [need]).status !== 0 && !existsSync(need));
    const result = missing.length > 0 ? `left out: no ${missing.join(", ")}` : await run().catch(failed);
    if (result.startsWith("FAILED")) failures += 1;
    process.stdout.write(`| ${name} | ${result} |\n`);
  };
  for (const each of tools.checks.filter(isChosen)) await report(each, each.run);
  for (const each of breaks.filter(isChosen)) {
    const { name, red } = each;
    const { needs = [], run } = tools.checks.find((other) => other.name === red) ?? {};
    await report({ name, needs }, () => tools.noticing(each, async () => run?.()));
  }
  return failures === 0 ? 0 : 1;
}

function failed(error: unknown): string {
  return `FAILED\n${error instanceof Error ? error.message : error}`;
}

interface Check {
  readonly name: string;
  /** The programs that it starts, and files that it reads. */
  readonly needs: readonly string[];
  /** @returns what was found */
  run(): Promise<string>;
}

class Tools {
  readonly #directory: string;
  readonly #url: string;
  /** Of an administrator. */
  readonly #token: string;
  readonly #installed = new Set<string>();

  constructor(directory: string, url: string, token: string) {
    this.#directory = directory;
    this.#url = url;
    this.#token = token;
  }

  readonly checks: readonly Check[] = [
    {
      name: "openapi-spec-validator",
      needs: ["python3"],
      run: async () => this.#python("openapi-spec-validator openapi.json"),
    },
    { name: "datamodel-codegen", needs: ["python3"], run: () => this.#models() },
    ...sessions.map((session) => ({
      name: session.name,
      needs: ["bash", ...session.needs],
      run: async () => this.#session(session),
    })),
    { name: "hey-api with zod", needs: ["node"], run: () => this.#heyApi() },
    { name: "newman", needs: ["node"], run: () => this.#newman() },
    { name: "schemathesis", needs: ["python3"], run: () => this.#schemathesis() },
  ];

  /** Expects a check to fail, with a broken document, for the reason given. */
  async noticing({ change, because, red }: Break, run: () => Promise<unknown>): Promise<string> {
    const path = join(this.#directory, "openapi.json");
    const document = readFileSync(path, "utf8");
    const broken = JSON.parse(document);
    change(broken);
    writeFileSync(path, JSON.stringify(broken));
    const message = await run().then(() => "nothing", failed);
    writeFileSync(path, document);
    if (!because.test(message)) throw new Error(`${red} should have failed with ${because}: ${message}`);
    return `${red} is red`;
  }

  #run(command: string, ...words: string[]): string {
    return execute(this.#directory, [...command.split(" "), ...words]);
  }

  /** Installs once what several checks use. */
  #install(what: string, command: string): void {
    if (!this.#installed.has(what)) this.#run(command);
    this.#installed.add(what);
  }

  #python(command: string, ...words: string[]): string {
    this.#install("venv", "python3 -m venv tools");
    this.#install("python", `tools/bin/pip install -q ${pythonTools.join(" ")}`);
    return this.#run(`tools/bin/${command}`, ...words);
  }

  #node(command: string, ...words: string[]): string {
    this.#install("node", `npm install --no-audit --no-fund --loglevel=error ${nodeTools.join(" ")}`);
    return this.#run(`node_modules/.bin/${command}`, ...words);
  }

  async #models(): Promise<string> {
    const model = "--output-model-type pydantic_v2.BaseModel";
    this.#python(
      `datamodel-codegen --input openapi.json --input-file-type openapi --output models.py ${model}`,
    );
    const program = `import models, pydantic
for email in (${JSON.stringify(person.email)}, "none"):
    try: print(models.UserCreate(**${JSON.stringify(person)} | {"email": email}).email)
    except pydantic.ValidationError: print("refused")`;
    const found = this.#python("python -c", program);
    if (found !== `${person.email}\nrefused`) throw new Error(`It says ${found}`);
    return "accepts a registration, refuses an e-mail";
  }

  #session({ uses, script }: Session): string {
    if (uses.includes("generator")) {
      const artifact = `-Dartifact=org.openapitools:openapi-generator-cli:${GENERATOR}`;
      this.#install("generator", `mvn -q -B dependency:copy ${artifact} -DoutputDirectory=.`);
    }
    if (uses.includes("python")) this.#python("python --version");
    if (uses.includes("node")) this.#node("tsc --version");
    const variables = `SESSIONS='${resolve("test/compatibility/sessions")}'; URL=${this.#url}`;
    const steps = this.#run("bash -ec", `${variables}${shellFunctions}\n${script}`).match(/^passed: .*/gm);
    return steps ? `steps passed: ${steps.length}` : "compiles";
  }

  async #heyApi(): Promise<string> {
    this.#node("openapi-ts -i openapi.json -o hey-api -p zod");
    return this.#validates("hey-api/zod.gen.ts", "zRegisterAccountBody");
  }

  /** A generated validator accepts the registration, and refuses a short password. */
  #validates(file: string, name: string): string {
    this.#node(
      `esbuild ${file} --bundle --format=esm --platform=node --outfile=validators.mjs --allow-overwrite`,
    );
    const program = `import { ${name} as body } from "./validators.mjs";
      const person = ${JSON.stringify(person)};
      console.log([person, { ...person, password: "short" }].map((each) => body.safeParse(each).success).join());`;
    const found = this.#run("node --input-type=module -e", program);
    if (found !== "true,false") throw new Error(`It says ${found} for a valid and an invalid registration`);
    return "accepts a registration, refuses a short password";
  }

  /** Runs the collection: deletions last, optional parameters off, because some exclude each other. */
  async #newman(): Promise<string> {
    const options = "parametersResolution=Example,enableOptionalParameters=false";
    this.#node(`openapi2postmanv2 -s openapi.json -o collection.json -O ${options}`);
    const path = join(this.#directory, "collection.json");
    const collection: Folder = JSON.parse(readFileSync(path, "utf8"));
    const requests = requestsOf(collection);
    const isDeletion = ({ request }: Folder) => request?.method === "DELETE";
    const item = [...requests.filter((each) => !isDeletion(each)), ...requests.filter(isDeletion).reverse()];
    writeFileSync(path, JSON.stringify({ ...collection, item }));
    const variables = { baseUrl: this.#url, bearerToken: this.#token, apiKey: credentials.API_KEYS };
    const values = Object.entries(variables).map(([key, value]) => `--env-var ${key}=${value}`);
    const report = "--reporters json --reporter-json-export newman.json";
    this.#node(`newman run collection.json ${values.join(" ")} --ignore-redirects ${report}`);
    const { run } = JSON.parse(readFileSync(join(this.#directory, "newman.json"), "utf8"));
    const executions: Execution[] = run.executions;
    const failures = executions.filter(({ response }) => (response?.code ?? 500) >= 400);
    const list = failures.map(({ item, response }) => `${response?.code} ${item.name}`).join("; ");
    const result = `${executions.length - failures.length} of ${executions.length} requests succeed (not: ${list})`;
    if (executions.length - failures.length < MIN_SUCCESSES) throw new Error(result);
    return result;
  }

  async #schemathesis(): Promise<string> {
    const checks = [
      "not_a_server_error",
      "response_schema_conformance",
      "status_code_conformance",
      "content_type_conformance",
    ];
    const options = "--max-examples 5 --seed 1 --suppress-health-check all --no-color";
    const headers = [`X-API-Key: ${credentials.API_KEYS}`, `Authorization: Bearer ${this.#token}`];
    const generated = [[], ["Accept: application/problem+json"], ["Content-Encoding: gzip"]].map((more) => {
      const output = this.#python(
        `schemathesis run openapi.json --url ${this.#url} --checks ${checks} ${options}`,
        ...[...headers, ...more].flatMap((header) => ["-H", header]),
      );
      return /(\d+) generated/.exec(output)?.[1];
    });
    return `${generated.join(", ")} requests, the second for problem details, the third compressed: no finding`;
  }
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
  const { status, stdout, stderr, error } = spawnSync(file, args, {
    cwd,
    encoding: "utf8",
    maxBuffer: 2 ** 28,
  });
  if (error || status !== 0)
    throw new Error(`${program} ${args[0]}: ${error ?? (stdout + stderr).slice(-3_000)}`);
  return stdout.trim();
}

function start(
  command: string,
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>> = {},
) {
  return spawn(command, args, { cwd, env: { ...process.env, ...env }, stdio: "ignore" });
}

/** @throws Error if the program ends first, or after two minutes */
async function responding(url: string, program: ChildProcess): Promise<void> {
  const ended = once(program, "exit").then(() => true);
  for (let attempt = 0; attempt < 240; attempt += 1) {
    if (
      await fetch(url).then(
        ({ ok }) => ok,
        () => false,
      )
    )
      return;
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
    port: {
      type: "integer",
      min: 1,
      max: 65_535,
      default: 9400,
      description: "port of the local run",
    },
  },
  run: async ({ only = "", port }) => {
    const directory = mkdtempSync(join(tmpdir(), "compatibility-"));
    const url = `http://localhost:${port}`;
    copyFileSync("docs/openapi.json", join(directory, "openapi.json"));
    writeFileSync(join(directory, "package.json"), '{"type":"module"}');
    const service = start("node", ["local/launch.cjs", "local/start.ts"], process.cwd(), {
      ...credentials,
      PORT: String(port),
      DATA_DIR: "memory",
      LOG_LEVEL: "ERROR",
    });
    try {
      await responding(`${url}/health`, service);
      const objects = await fetch(`${url}/openapi.json?lists=objects`);
      writeFileSync(join(directory, "objects.json"), await objects.text());
      await send(`${url}/users/`, person);
      const admin = { username: "admin", password: credentials.ADMIN_PASSWORD };
      const { access_token: token = "" } = await send(`${url}/auth/login`, admin);
      return await check(new Tools(directory, url, token), only);
    } finally {
      service.kill();
      rmSync(directory, { recursive: true, force: true });
    }
  },
});
