import { describe, expect, it } from "vitest";
import { allRoutes } from "../../functions/definitions.ts";
import { resolveStage } from "../../infra/stages.ts";
import { type Resource, resourcesOf, stageTemplate } from "../support/infra/templates.ts";

const templates = {
  dev: stageTemplate("dev"),
  prod: stageTemplate("prod"),
};

function resources(stage: "dev" | "prod", type: string): Resource[] {
  return resourcesOf(templates[stage], type).map(([, resource]) => resource);
}

describe.each(["dev", "prod"] as const)("the %s stack", (stage) => {
  it("has a route key for every declared route, without a trailing slash", () => {
    const keys = resources(stage, "AWS::ApiGatewayV2::Route").map(({ Properties }) => Properties.RouteKey);
    const declared = allRoutes.map(({ method, pattern }) => `${method} ${pattern.replace(/(?<=.)\/$/, "")}`);

    expect(keys).toEqual(expect.arrayContaining(declared));
    for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"]) {
      expect(keys).toContain(`${method} /{proxy+}`);
    }
    expect(keys.filter((key) => /^ANY |\$default/.test(String(key)))).toEqual([]);
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

  it.each([
    ["prod", undefined, "-c origins=… is required for prod"],
    ["prod", "*", "-c origins=… is required for prod"],
    ["prod", "www.example.com", "-c origins=… must be browser origins"],
    ["prod", "https://www.example.com/path", "-c origins=… must be browser origins"],
    ["staging", undefined, '-c stage=… must be dev, prod, or a name such as dev-alice, not "staging"'],
  ])("rejects %s with the origins %s, and says what to pass", (stage, origins, message) => {
    expect(() => resolveStage(stage, { origins })).toThrow(message);
  });
});
