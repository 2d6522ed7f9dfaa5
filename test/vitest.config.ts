import type { ProvidedContext } from "vitest";
import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";
import { findChromium } from "./support/chromium.ts";

const quiet = { POWERTOOLS_LOG_LEVEL: "SILENT", POWERTOOLS_METRICS_DISABLED: "true" };

/** The whole-API specs over one target, which a set-up file provides unless it is given here. */
function target(name: string, setup: string | undefined, provide: Partial<ProvidedContext> = {}) {
  return {
    extends: true,
    test: {
      name: `api ${name}`,
      include: ["test/api/**/*.test.ts"],
      provide,
      ...(setup && { globalSetup: `test/support/${setup}` }),
    },
  } satisfies TestProjectInlineConfiguration;
}

/** The documentation page is looked at in a browser, which not every machine has; `.ci/run` sees to it. */
const chromium = findChromium(process.env);
if (chromium === undefined)
  process.stderr.write(
    "There is no Chromium: the documentation page is not tested (install it, or set CHROMIUM)\n",
  );

/** A deployment, and what the specs need to know of it. */
const { API_URL: url, API_KEY: apiKey, ADMIN_PASSWORD: password } = process.env;
const deployed = url && {
  kind: "http" as const,
  url,
  ...(password && { admin: { username: "admin", password } }),
  ...(apiKey && { apiKey }),
};

export default defineConfig({
  test: {
    env: quiet,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          include: ["test/**/*.test.ts"],
          exclude: ["test/api/**", "test/costs/**", "test/page/**"],
          globalSetup: "test/support/engines-setup.ts",
        },
      },
      {
        extends: true,
        test: {
          name: "costs",
          include: ["test/costs/**/*.test.ts"],
          globalSetup: "test/support/engines-setup.ts",
          // Alone and last: on a busy machine calls time out and are repeated, and every attempt counts.
          sequence: { groupOrder: 1 },
          fileParallelism: false,
        },
      },
      target("in process", "in-process-setup.ts"),
      target("on the gateway", "gateway-setup.ts", { slashes: "lenient" }),
      target("on a gateway with strict slashes", "gateway-setup.ts", { slashes: "strict" }),
      ...(chromium
        ? [
            {
              extends: true as const,
              test: {
                name: "page",
                include: ["test/page/**/*.test.ts"],
                testTimeout: 120_000,
                provide: { chromium, slashes: "lenient" as const },
                globalSetup: "test/support/gateway-setup.ts",
              },
            },
          ]
        : []),
      ...(deployed ? [target("at API_URL", undefined, { target: deployed })] : []),
    ],
  },
});
