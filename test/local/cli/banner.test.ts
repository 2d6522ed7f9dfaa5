import { describe, expect, it } from "vitest";
import { bannerText } from "../../../local/cli/banner.ts";
import { readSettings } from "../../../local/cli/settings.ts";

const secrets = { AdminPassword: "generated password", ApiKeys: "generated-key", SigningSecrets: "signing" };

function banner(environment: Record<string, string> = {}, url = "http://127.0.0.1:8080") {
  const ready = { url, secrets, seconds: "2.1", isEngineIsolated: true };
  return bannerText(ready, readSettings(environment), (text) => `<${text}>`);
}

describe("the banner", () => {
  it("shows the URLs, the generated credentials, and how to stop", () => {
    expect(banner()).toBe(
      [
        "",
        "<Ready at http://localhost:8080 after 2.1 s>",
        "",
        "  Documentation  http://localhost:8080/docs",
        "  Account        admin, password generated password",
        "  API key        generated-key",
        "  Data           .data (npm run reset deletes it)",
        "  Stop           Ctrl-C",
        "",
      ].join("\n"),
    );
  });

  it("shows where requests can be watched", () => {
    const ready = {
      url: "http://127.0.0.1:8080",
      secrets,
      seconds: "2.1",
      isEngineIsolated: true,
      devViewPath: "/_dev",
    };

    expect(bannerText(ready, readSettings({}), (text) => text)).toContain(
      "  Requests       http://localhost:8080/_dev\n",
    );
  });

  it("shows neither configured secrets nor the signing secret", () => {
    const text = banner({ ADMIN_PASSWORD: "given", API_KEYS: "first-key,second-key" });

    expect(text).toContain("admin, password from ADMIN_PASSWORD\n");
    expect(text).toContain("from API_KEYS\n");
    expect(text).not.toMatch(/generated|signing/);
  });

  it("warns if other programs can reach the database", () => {
    const warning = "  Database       every program on this machine can read and change it (docs/adr/0005)\n";
    const text = (isEngineIsolated: boolean, environment: Record<string, string> = {}) =>
      bannerText({ url: "", secrets, seconds: "2.1", isEngineIsolated }, readSettings(environment), String);

    expect(text(false)).toContain(warning);
    expect(text(true)).not.toContain("Database");
    expect(text(false, { DYNAMODB_ENDPOINT: "http://127.0.0.1:8000" })).not.toContain("Database");
  });

  it("shows where the data is", () => {
    expect(banner({ DATA_DIR: "memory" })).toContain("in memory, lost when the run stops\n");
    expect(banner({ DYNAMODB_ENDPOINT: "http://127.0.0.1:8000" })).toContain("at http://127.0.0.1:8000\n");
  });

  it("names the reset of its own directory", () => {
    expect(banner({ DATA_DIR: "/tmp/a" })).toContain("/tmp/a (npm run reset -- /tmp/a deletes it)\n");
    expect(banner({ DATA_DIR: "it's here" })).toContain("(npm run reset -- 'it'\\''s here' deletes it)\n");
  });

  it("does not rename addresses other than loopback", () => {
    expect(banner({}, "http://0.0.0.0:80")).toContain("<Ready at http://0.0.0.0:80 after");
  });
});
