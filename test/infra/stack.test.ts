import { isDeepStrictEqual } from "node:util";
import { describe, expect, it } from "vitest";
import { routesByGroup } from "../../functions/routes.ts";
import { resolveStage } from "../../infra/stages.ts";
import { type Resource, resourcesOf, stageTemplate } from "../support/infra/templates.ts";

const templates = {
  dev: stageTemplate("dev"),
  prod: stageTemplate("prod"),
};

function resources(stage: "dev" | "prod", type: string): Resource[] {
  return resourcesOf(templates[stage], type).map(([, resource]) => resource);
}

/** Removes the hashes of assets and versions, which change with every line of code. */
function scrub(template: unknown): unknown {
  return JSON.parse(
    JSON.stringify(template)
      .replaceAll(/[0-9a-f]{64}/g, "<hash>")
      .replaceAll(/(CurrentVersion[0-9A-F]{8})[0-9a-f]{32}/g, "$1<hash>"),
  );
}

/** The members of `after` that differ from `before`, at any depth; `null` for missing ones. */
function differenceOf(before: unknown, after: unknown): unknown {
  if (!isObject(before) || !isObject(after)) return after;
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  const differing = names.filter((name) => !isDeepStrictEqual(before[name], after[name]));
  return Object.fromEntries(
    differing.map((name) => [name, name in after ? differenceOf(before[name], after[name]) : null]),
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

describe("the prod stack with all settings", () => {
  it("differs from the prod stack in its snapshot", async () => {
    const [before, after] = [templates.prod, stageTemplate("configured")].map((each) => scrub(each.toJSON()));
    const differences = `${JSON.stringify(differenceOf(before, after), null, 2)}\n`;

    await expect(differences).toMatchFileSnapshot("snapshots/configured.differences.json");
  });
});

describe.each(["dev", "prod"] as const)("the %s stack", (stage) => {
  it("equals its snapshot", async () => {
    await expect(`${JSON.stringify(scrub(templates[stage].toJSON()), null, 2)}\n`).toMatchFileSnapshot(
      `snapshots/${stage}.template.json`,
    );
  });

  it("has a route key for every declared route, without a trailing slash", () => {
    const keys = resources(stage, "AWS::ApiGatewayV2::Route").map(({ Properties }) => Properties.RouteKey);
    const declared = Object.values(routesByGroup)
      .flat()
      .map(({ method, pattern }) => `${method} ${pattern.replace(/(?<=.)\/$/, "")}`);

    expect(keys).toEqual(expect.arrayContaining(declared));
    for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"]) {
      expect(keys).toContain(`${method} /{proxy+}`);
    }
    expect(keys.filter((key) => /^(OPTIONS|ANY) |\$default/.test(String(key)))).toEqual([]);
  });

  it("runs every function on Node 24, arm64, within the gateway's 30 s, with its own role and log group", () => {
    const functions = resources(stage, "AWS::Lambda::Function").map(({ Properties }) => Properties);

    for (const each of functions) {
      expect(each).toMatchObject({
        Runtime: "nodejs24.x",
        Architectures: ["arm64"],
        Handler: "index.handler",
      });
    }
    for (const [id, { Properties }] of resourcesOf(templates[stage], "AWS::Lambda::Function"))
      if (!id.startsWith("RepairFunction")) expect(Properties.Timeout).toBeLessThan(30);
    for (const own of ["Role", "LoggingConfig"] as const) {
      expect(new Set(functions.map((each) => JSON.stringify(each[own]))).size).toBe(functions.length);
    }
  });
});

describe("CORS", () => {
  it("is as specified, and in prod restricted to named origins", () => {
    const cors = (stage: "dev" | "prod") =>
      resources(stage, "AWS::ApiGatewayV2::Api")[0]?.Properties.CorsConfiguration;

    const specified = {
      AllowMethods: ["OPTIONS", "GET", "POST", "PUT", "DELETE"],
      AllowHeaders: ["Content-Type"],
    };
    expect(cors("dev")).toMatchObject({ ...specified, AllowOrigins: ["*"] });
    expect(cors("prod")).toMatchObject({
      ...specified,
      AllowOrigins: ["https://www.example.com", "https://shop.example.com"],
    });
  });

  it("can allow browsers all methods and headers of the API", () => {
    const [[, api] = []] = resourcesOf(stageTemplate("configured"), "AWS::ApiGatewayV2::Api");

    expect(api?.Properties.CorsConfiguration).toEqual({
      AllowOrigins: ["https://www.example.com", "https://shop.example.com"],
      AllowMethods: ["OPTIONS", "GET", "POST", "PUT", "DELETE", "PATCH"],
      AllowHeaders: [
        "Content-Type",
        "Authorization",
        "X-API-Key",
        "idempotency-key",
        "if-none-match",
        "if-match",
        "x-version",
      ],
      ExposeHeaders: [
        "allow",
        "etag",
        "idempotency-replayed",
        "link",
        "location",
        "retry-after",
        "www-authenticate",
        "x-request-id",
      ],
      MaxAge: 3600,
    });
  });

  it.each([
    ["prod", undefined, "-c origins=… is required for prod"],
    ["prod", "*", "-c origins=… is required for prod"],
    ["prod", "www.example.com", "-c origins=… must be browser origins"],
    ["prod", "https://www.example.com/path", "-c origins=… must be browser origins"],
    ["staging", undefined, '-c stage=… must be dev or prod, not "staging"'],
  ])("rejects %s with the origins %s, and says what to pass", (stage, origins, message) => {
    expect(() => resolveStage(stage, { origins })).toThrow(message);
  });
});
