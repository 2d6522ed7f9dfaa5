import type { TestProject } from "vitest/node";
import { allRoutes } from "../../../functions/definitions.ts";
import type { Route } from "../../../lib/http/route.ts";
import { createRouter } from "../../../lib/http/router.ts";
import type { ServedRequest } from "../../../local/api-gateway/gateway.ts";
import type { LocalRun } from "../../../local/run.ts";
import { findUnusedGrants } from "./unused-grants.ts";

/** The services whose calls the local run sees; it does not see logs and traces. */
const SERVICES = ["dynamodb", "secretsmanager"];

const routes = allRoutes;
const find = createRouter(routes);

export function calledRoutes() {
  const called = new Set<Route>();
  return {
    onResponse({ method, target }: Pick<ServedRequest, "method" | "target">) {
      const { route } = find(method, pathOf(target));
      if (route) called.add(route);
    },
    missing: () => routes.filter((route) => !called.has(route)).map(({ key }) => key),
  };
}

/** A line for each permission of a function that no request used. No request starts jobs. */
export function unusedGrants({ model, credentials }: Pick<LocalRun, "model" | "credentials">): string[] {
  const { functions, jobs } = model();
  const requested = functions.filter((each) => !jobs.some(({ functionId }) => functionId === each.logicalId));
  return requested.flatMap(({ label, logicalId, statements }) =>
    SERVICES.flatMap((service) =>
      findUnusedGrants(statements, credentials.usedPermissions(logicalId), service),
    ).map(({ action, resource }) => `${label} may call ${action} on ${resource} and never does`),
  );
}

export async function isComplete(project: TestProject): Promise<boolean> {
  const { testFiles } = await project.globTestFiles();
  const passed = new Set(
    project.vitest.state
      .getTestModules()
      .filter((module) => module.project === project && module.state() === "passed")
      .map(({ moduleId }) => moduleId),
  );
  return project.config.testNamePattern === undefined && testFiles.every((file) => passed.has(file));
}

/** Percent-decoded as by the gateway; specs also send paths that cannot be decoded. */
function pathOf(target: string): string {
  const path = target.replace(/\?.*$/s, "");
  try {
    return decodeURIComponent(path);
  } catch (error) {
    if (error instanceof URIError) return path;
    throw error;
  }
}
