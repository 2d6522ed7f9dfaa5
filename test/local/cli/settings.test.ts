import { describe, expect, it } from "vitest";
import { areaSettings } from "../../../functions/area-settings.ts";
import { checkSettings, readSettings } from "../../../local/cli/settings.ts";

describe("the settings of the local run", () => {
  it("have the same defaults for absent and empty variables", () => {
    expect(readSettings({})).toMatchObject({ port: 8080, host: "127.0.0.1", dataDirectory: ".data" });
    expect(readSettings({ PORT: "", SEED: "", REFUSED_PASSWORDS: "", API_KEYS: "" })).toEqual(
      readSettings({}),
    );
  });

  it("include the stage's settings, secrets and limits", () => {
    const environment = {
      ...{ CORS_ORIGINS: "https://a.example", CORS_BROWSER_CLIENTS: "1", MAX_ENVIRONMENTS: "1" },
      ...{ REFUSED_PASSWORDS: "most-used", RESERVED_USERNAMES: "sales", API_KEYS: "first-key,second-key" },
    };
    const { stageSettings, secrets, limits } = readSettings(environment, areaSettings);
    expect(stageSettings).toEqual({
      ...{ origins: "https://a.example", browserClients: "1" },
      ...{ refusedPasswords: "most-used", reservedUsernames: "sales" },
    });
    expect(secrets).toEqual({ ApiKeys: "first-key,second-key" });
    expect(limits).toEqual({ environments: 1 });
  });

  it("accept signing secrets of 32 bytes and more, and never repeat a shorter one", () => {
    const secret = `${"é".repeat(16)}, ${"x".repeat(40)},`;
    expect(readSettings({ SIGNING_SECRET: secret }).secrets).toEqual({ SigningSecrets: secret });
    expect(() => readSettings({ SIGNING_SECRET: "guessable" })).not.toThrow("guessable");
  });

  it.each([
    ["PORT", "70000", "PORT must be a number"],
    ["PORT", "http", "PORT must be a number"],
    ["MAX_ENVIRONMENTS", "0", "MAX_ENVIRONMENTS must be a number from 1 to 999"],
    ["DYNAMODB_ENDPOINT", "localhost:8000", "DYNAMODB_ENDPOINT must be a URL"],
    ["DYNAMODB_ENDPOINT", "http://127.0.0.1:99999", "DYNAMODB_ENDPOINT must be a URL"],
    ["API_KEYS", ", ", "API_KEYS must be a comma-separated list with at least one value"],
    ["API_KEYS", "long-enough,short", "API_KEYS must have at least 8 bytes in each of its values"],
    ["API_KEYS", "a-name:short", "API_KEYS must have at least 8 bytes in each of its values"],
    ["SIGNING_SECRET", ",", "SIGNING_SECRET must be a comma-separated list"],
    ["SIGNING_SECRET", "x".repeat(31), "SIGNING_SECRET must have at least 32 bytes in each of its values"],
    ["SIGNING_SECRET", `${"x".repeat(32)}, short`, "SIGNING_SECRET must have at least 32 bytes"],
    ["SEED", "some", "SEED must be catalog, demo or none"],
    ["LOG_LEVEL", "LOUD", "LOG_LEVEL must be DEBUG, INFO, WARN, ERROR or SILENT"],
    ["LOG_FORMAT", "xml", "LOG_FORMAT must be text or json"],
  ])("reject %s=%s", (name, value, message) => {
    expect(() => readSettings({ [name]: value })).toThrow(message);
  });

  it("rejected by the stage are reported with the variable's name", async () => {
    const { stageSettings } = readSettings({ RESERVED_USERNAMES: "a b" }, areaSettings);

    await expect(checkSettings({ stageSettings, secrets: {} }, areaSettings)).rejects.toThrow(
      'RESERVED_USERNAMES must be usernames, comma-separated, for example sales,billing, not "a b".',
    );
    const both = readSettings({ ACCESS: "owner,anyone" }, areaSettings);
    await expect(checkSettings({ ...both, secrets: {} }, areaSettings)).rejects.toThrow(
      "ACCESS must have one rule for others, not two.",
    );
    const valid = {
      stageSettings: { reservedUsernames: "sales" },
      secrets: { AdminPassword: "Analytical1" },
    };
    await checkSettings(valid, areaSettings);
  });
});
