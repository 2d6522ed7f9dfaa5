import { expect, it } from "vitest";
import { bannerText } from "../../../local/cli/banner.ts";
import { readSettings } from "../../../local/cli/settings.ts";

const secrets = { AdminPassword: "generated password", ApiKeys: "generated-key", SigningSecrets: "signing" };
const external = { DYNAMODB_ENDPOINT: "http://127.0.0.1:8000" };

function banner(environment: Record<string, string>, changes = {}) {
  const ready = { url: "http://127.0.0.1:8080", secrets, seconds: "2.1", ...changes };
  return bannerText(ready, readSettings(environment), (text) => `<${text}>`);
}

// What it says by default is in README.md, which test/readme.test.ts compares with it.
it.each<[what: string, environment: Record<string, string>, changes: object, text: string]>([
  ["where requests are shown", {}, { devViewPath: "/_dev" }, "  Requests       http://localhost:8080/_dev\n"],
  ["that data is in memory", { DATA_DIR: "memory" }, {}, "in memory, lost when the run stops\n"],
  ["where data is", external, {}, "at http://127.0.0.1:8000\n"],
  ["its own reset", { DATA_DIR: "/tmp/a" }, {}, '/tmp/a (npm run reset -- "/tmp/a" deletes it)\n'],
  ["another address", {}, { url: "http://192.0.2.1:80" }, "<Ready at http://192.0.2.1:80 after"],
  ["one that browsers open", {}, { url: "http://0.0.0.0:80" }, "<Ready at http://localhost:80 after"],
])("the banner says %s", (_, environment, changes, text) => {
  expect(banner(environment, changes)).toContain(text);
});

it("the banner shows neither configured secrets nor the signing secret", () => {
  const text = banner({ ADMIN_PASSWORD: "given", API_KEYS: "first-key,second-key" });
  expect(text).toContain("admin, password from ADMIN_PASSWORD\n");
  expect(text).toContain("from API_KEYS\n");
  expect(text).not.toMatch(/generated|signing/);
});
