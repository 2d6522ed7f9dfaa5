import { existsSync, globSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import type { ProvidedContext } from "vitest";
import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";
import { findChromium } from "./support/chromium.ts";
import { findDynamodbLocal } from "./support/database/dynamodb-local.ts";
import { findNginx } from "./support/programs/nginx.ts";

/** Projects whose names start with these are left out of `npm test`. CONTRIBUTING.md says which command runs them. */
const slow = "slow: ";
const nightly = "slow nightly: ";
const slowFiles = "test/**/*.slow.test.ts";
const nightlyFiles = "test/**/*.nightly.test.ts";

/** Specs of a running service: over handlers, gateways, in a browser, or behind a proxy. */
const specs = "test/{api,gateway,page,proxy}/**/*.test.ts";
const costs = "test/costs/**/*.test.ts";

/** Files that read a synthesized stack, or run it. */
const stackTests = [
  "test/{readme,requests}.test.ts",
  "test/infra/{build/bundle,guarantees,issuer,rollout,visitor}.test.ts",
  "test/infra/monitoring/{alarms,dashboard,log-metrics}.test.ts",
  "test/functions/{areas,*/log-metrics}.test.ts",
  "test/lib/repositories/stored-shapes.test.ts",
  "test/local/api-gateway/gateway.test.ts",
  "test/local/aws/dynamodb.test.ts",
  "test/local/demo/load-demo.test.ts",
  "test/local/lambda/function-pool.test.ts",
  "test/local/{restored-table,stack/template}.test.ts",
  "test/ops/deployment/losses.test.ts",
];

/** Files that change their process: its environment variables, its modules or its memory. */
const isolatedTests = [
  "test/functions/{damaged-records,repair/repair-and-report}.test.ts",
  "test/infra/{access-rules,roles}.test.ts",
  "test/lib/{endpoints,log/{log,who}}.test.ts",
  "test/lib/repositories/posts/one-client.test.ts",
];

// The workers share their compiled modules with the programs that local/launch.cjs starts.
process.env.NODE_COMPILE_CACHE ??= resolve("node_modules/.cache/local-run/compiled");

const filesWith = (pattern: string, text: string) =>
  globSync(pattern).filter((file) => readFileSync(file, "utf8").includes(text));

/** Files that call DynamoDB with expressions of their own. */
const repositories = "test/lib/{dynamodb,records,repositories}/**/*.test.ts";
const repositoryTests = filesWith(repositories, "describe.each(engines)");

/** Files whose inputs are smaller in `npm test`. */
const scaledTests = filesWith("test/**/*.test.ts", "support/effort.ts");

const engineSetup = "test/support/engines-setup.ts";
const synthesisSetup = "test/support/synthesis-setup.ts";
const gatewaySetup = "test/support/gateway-setup.ts";
const patientClients = "test/support/patient-clients.ts";
const cheapPasswords = "test/support/cheap-passwords.ts";

type Provided = { readonly [Name in keyof ProvidedContext]?: ProvidedContext[Name] | undefined };

interface Project extends Omit<NonNullable<TestProjectInlineConfiguration["test"]>, "provide"> {
  readonly provide?: Provided;
}

/** A project. Modules are shared by its files by default, which saves loading the SDK and zod for each of them. */
function project({ provide, ...test }: Project) {
  const isSlow = String(test.name).startsWith("slow");
  return {
    test: {
      isolate: false,
      // Generous, because no result depends on how busy the machine is.
      testTimeout: 600_000,
      hookTimeout: 600_000,
      expect: { poll: { timeout: 500_000 } },
      // Slow tests also wait for programs and browsers. One more worker uses that time.
      maxWorkers: availableParallelism() + (isSlow ? 1 : 0),
      sequence: { groupOrder: isSlow ? 1 : 0 },
      // Collects garbage less often, which saves 4 % of the time of the repositories' tests.
      execArgv: ["--max-semi-space-size=64"],
      // Node loads the modules, as it does outside the tests: Vite's own loading takes a tenth of the time of a run.
      experimental: { viteModuleRunner: false, nodeLoader: false },
      env: {
        AWS_LAMBDA_LOG_LEVEL: "FATAL",
        // Takes several times as long as the synthesis.
        CDK_VALIDATION: "false",
      },
      ...test,
      provide: { effort: "quick", engine: undefined, assemblies: undefined, ...provide } as ProvidedContext,
    },
  } satisfies TestProjectInlineConfiguration;
}

/** The whole-API specs over one target. */
function api(name: string, globalSetup: string[], provide: Provided = {}) {
  const setupFiles = [patientClients, cheapPasswords];
  return project({ name, include: ["test/api/**/*.test.ts"], setupFiles, globalSetup, provide });
}

const when = <T>(condition: unknown, value: T): T[] => (condition ? [value] : []);

const isQuick = process.argv.includes("!slow*");
/** `npm run test:all`: each file runs once, with full inputs. */
const isAll = !process.argv.some((arg) => arg.startsWith("--project"));
const needsTools = isAll || process.argv.some((arg) => [`${slow}*`, `${nightly}*`].includes(arg));
if (needsTools && !existsSync("test/tools/node_modules"))
  throw new Error("The slow tests use other tools as well. Install them: npm ci --prefix test/tools");
const chromium = findChromium(process.env);
const nginx = findNginx(process.env);
const hasDynamodbLocal = !isQuick && findDynamodbLocal() !== undefined;

const leftOut = isQuick
  ? ["slow tests (npm run test:rest and npm run test:nightly run them)"]
  : [
      ...when(
        !chromium,
        "the documentation page, because there is no Chromium (install it, or set CHROMIUM)",
      ),
      ...when(!(chromium && nginx), "nginx in front, because it or Chromium is not there"),
      ...when(!hasDynamodbLocal, "DynamoDB Local, because there is no Java 17"),
    ];
if (leftOut.length > 0) process.stderr.write(`Left out: ${leftOut.join("; ")}\n`);

/** A deployment, and the credentials that the specs need. */
const { API_URL: url, API_KEY: apiKey, ADMIN_PASSWORD: password } = process.env;
const admin = password && { admin: { username: "admin", password } };
const deployed = url ? { kind: "http" as const, url, ...admin, ...(apiKey && { apiKey }) } : undefined;

const synthesized = [engineSetup, synthesisSetup];
const programs = { isolate: true, globalSetup: synthesized };

export default defineConfig({
  test: {
    projects: [
      project({
        name: "unit",
        include: ["test/**/*.test.ts"],
        exclude: [specs, costs, slowFiles, nightlyFiles, ...stackTests, ...isolatedTests],
        globalSetup: engineSetup,
        provide: { effort: isAll ? "full" : "quick" },
      }),
      project({
        name: "isolated",
        include: isolatedTests,
        isolate: true,
        // Only Vite loads modules again in the same process.
        experimental: { viteModuleRunner: true },
        globalSetup: engineSetup,
      }),
      project({ name: "stack", include: stackTests, globalSetup: synthesized }),
      api("api in process", ["test/support/in-process-setup.ts"]),
      project({
        name: "gateway",
        include: ["test/gateway/**/*.test.ts"],
        globalSetup: gatewaySetup,
        provide: { slashes: "lenient" },
      }),
      project({ name: `${slow}programs`, include: [slowFiles], ...programs }),
      project({ name: `${nightly}programs`, include: [nightlyFiles], ...programs }),
      project({
        name: `${slow}costs`,
        include: [costs],
        setupFiles: [patientClients, cheapPasswords],
        globalSetup: synthesized,
      }),
      // In process, slashes are lenient.
      api(`${slow}api on the gateway`, [gatewaySetup], { slashes: "strict" }),
      ...when(
        !isAll,
        project({
          name: `${nightly}full inputs`,
          include: scaledTests,
          globalSetup: engineSetup,
          provide: { effort: "rest" },
        }),
      ),
      ...when(
        hasDynamodbLocal,
        project({
          name: `${nightly}DynamoDB Local`,
          include: repositoryTests,
          exclude: [slowFiles, nightlyFiles, ...stackTests],
          globalSetup: engineSetup,
          provide: { engine: "DynamoDB Local" },
        }),
      ),
      ...when(
        hasDynamodbLocal,
        project({
          name: `${nightly}access rules on DynamoDB Local`,
          include: ["test/functions/access.slow.test.ts"],
          ...programs,
          provide: { engine: "DynamoDB Local" },
        }),
      ),
      ...when(
        chromium,
        project({
          name: `${slow}page`,
          include: ["test/page/**/*.test.ts"],
          globalSetup: gatewaySetup,
          provide: { chromium, slashes: "lenient" },
        }),
      ),
      ...when(
        chromium && nginx,
        project({ name: `${nightly}proxy`, include: ["test/proxy/*.test.ts"], provide: { chromium } }),
      ),
      ...when(deployed, api("api at API_URL", [], { target: deployed })),
    ],
  },
});
