import { describe, expect, it } from "vitest";
import { bannerText } from "../../../local/cli/banner.ts";
import { readSettings } from "../../../local/cli/settings.ts";

const secrets = { AdminPassword: "generated password", ApiKeys: "generated-key", SigningSecrets: "signing" };

function banner(environment: Record<string, string> = {}, url = "http://127.0.0.1:8080") {
  const ready = { url, secrets, seconds: "2.1" };
  return bannerText(ready, readSettings(environment), (text) => `<${text}>`);
}

describe("the banner", () => {
  it("says where everything is, what was generated, and how to end", () => {
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

  it("repeats no secret that was given, and none that nobody needs", () => {
    const text = banner({ ADMIN_PASSWORD: "given", API_KEYS: "a,b" });

    expect(text).toContain("admin, password as in ADMIN_PASSWORD\n");
    expect(text).toContain("as in API_KEYS\n");
    expect(text).not.toMatch(/generated|signing/);
  });

  it("says so when nothing is kept, or it is kept elsewhere", () => {
    expect(banner({ DATA_DIR: "memory" })).toContain("in memory: nothing is kept\n");
    expect(banner({ DYNAMODB_ENDPOINT: "http://127.0.0.1:8000" })).toContain("at http://127.0.0.1:8000\n");
  });

  it("names another address than loopback as it is", () => {
    expect(banner({}, "http://0.0.0.0:80")).toContain("<Ready at http://0.0.0.0:80 after");
  });
});
