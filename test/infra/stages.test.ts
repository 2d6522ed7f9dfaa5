import { describe, expect, it } from "vitest";
import { type StageSettings, stageOf } from "../../infra/stages.ts";

const origins = "https://www.example.com";

describe("a stage", () => {
  it("is as the specification says unless told", () => {
    const specified = {
      corsMethods: ["OPTIONS", "GET", "POST", "PUT", "DELETE"],
      corsHeaders: ["Content-Type"],
      usersList: "records",
      versionHeader: "api-version",
      itemCacheSeconds: 60,
      lambdaConcurrency: 0,
    };

    expect(stageOf("dev", {})).toMatchObject({ ...specified, corsOrigins: ["*"], keepData: false });
    expect(stageOf("prod", { origins })).toMatchObject({
      ...specified,
      corsOrigins: [origins],
      keepData: true,
    });
  });

  it.each<[StageSettings, object]>([
    [
      { origins: "https://a.example,https://b.example:8443" },
      { corsOrigins: ["https://a.example", "https://b.example:8443"] },
    ],
    [{ corsMethods: "GET,PATCH" }, { corsMethods: ["GET", "PATCH"] }],
    [{ corsMethods: "*" }, { corsMethods: ["*"] }],
    [
      { corsHeaders: "Content-Type,Authorization,If-Match" },
      { corsHeaders: ["Content-Type", "Authorization", "If-Match"] },
    ],
    [{ usersList: "versioned" }, { usersList: "versioned" }],
    [{ versionHeader: "X-Api-Version" }, { versionHeader: "x-api-version" }],
    [{ itemCacheSeconds: "0" }, { itemCacheSeconds: 0 }],
    [{ lambdaConcurrency: "1000" }, { lambdaConcurrency: 1_000 }],
  ])("takes %j", (settings, expected) => {
    expect(stageOf("dev", settings)).toMatchObject(expected);
    expect(stageOf("prod", { origins, ...settings })).toMatchObject(expected);
  });

  it.each<[StageSettings, string]>([
    [{ origins: "" }, "origins, comma-separated"],
    [{ origins: "www.example.com" }, 'not "www.example.com"'],
    [{ origins: "https://www.example.com/path" }, "https://www.example.com"],
    [{ corsMethods: "GET,FETCH" }, "HTTP methods"],
    [{ corsMethods: "" }, "HTTP methods"],
    [{ corsHeaders: "Content Type" }, "names of headers"],
    [{ usersList: "both" }, "records or versioned"],
    [{ versionHeader: "api version" }, "the name of a header"],
    [{ versionHeader: "" }, "the name of a header"],
    ...["", "-1", "1.5", "a minute"].map((itemCacheSeconds): [StageSettings, string] => [
      { itemCacheSeconds },
      "whole seconds",
    ]),
    ...["", "-1", "1.5", "all"].map((lambdaConcurrency): [StageSettings, string] => [
      { lambdaConcurrency },
      "quota of concurrent executions",
    ]),
  ])("does not take %j, and says what it takes", (settings, message) => {
    const [name] = Object.keys(settings);
    expect(() => stageOf("dev", settings)).toThrow(`-c ${name}=… is`);
    expect(() => stageOf("dev", settings)).toThrow(message);
  });
});
