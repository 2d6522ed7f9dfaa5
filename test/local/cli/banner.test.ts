import { describe, expect, it } from "vitest";
import { bannerText } from "../../../local/cli/banner.ts";
import { readSettings } from "../../../local/cli/settings.ts";

const secrets = { AdminPassword: "generated password", ApiKeys: "generated-key", SigningSecrets: "signing" };

function banner(environment: Record<string, string>, changes = {}) {
  const ready = { url: "http://127.0.0.1:8080", secrets, seconds: "2.1", isEngineIsolated: true, ...changes };
  return bannerText(ready, readSettings(environment), (text) => `<${text}>`);
}

// What it says by default is in README.md, which test/readme.test.ts compares with it.
describe("the banner", () => {
  it("shows where requests can be watched", () => {
    expect(banner({}, { devViewPath: "/_dev" })).toContain("  Requests       http://localhost:8080/_dev\n");
  });

  it("shows neither configured secrets nor the signing secret", () => {
    const text = banner({ ADMIN_PASSWORD: "given", API_KEYS: "first-key,second-key" });

    expect(text).toContain("admin, password from ADMIN_PASSWORD\n");
    expect(text).toContain("from API_KEYS\n");
    expect(text).not.toMatch(/generated|signing/);
  });

  it("warns if other programs can reach the database", () => {
    const warning = "  Database       every program on this machine can read and change it (docs/adr/0005)\n";
    const text = (isEngineIsolated: boolean, environment = {}) => banner(environment, { isEngineIsolated });

    expect(text(false)).toContain(warning);
    expect(text(true)).not.toContain("Database");
    expect(text(false, { DYNAMODB_ENDPOINT: "http://127.0.0.1:8000" })).not.toContain("Database");
  });

  it("shows where the data is", () => {
    expect(banner({ DATA_DIR: "memory" })).toContain("in memory, lost when the run stops\n");
    expect(banner({ DYNAMODB_ENDPOINT: "http://127.0.0.1:8000" })).toContain("at http://127.0.0.1:8000\n");
  });

  it("names the reset of its own directory", () => {
    expect(banner({ DATA_DIR: "/tmp/a" })).toContain('/tmp/a (npm run reset -- "/tmp/a" deletes it)\n');
  });

  it("does not rename addresses other than loopback", () => {
    expect(banner({}, { url: "http://0.0.0.0:80" })).toContain("<Ready at http://0.0.0.0:80 after");
  });
});
