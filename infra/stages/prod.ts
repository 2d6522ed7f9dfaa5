import type { StageSettings } from "../settings/settings.ts";

/** The settings of `prod`. docs/settings.md lists all; `-c name=value` overrides one. */
export const settings: StageSettings = {
  // Required: the browser origins that CORS allows.
  // origins: ["https://www.example.com"],
  //
  // Required: who may call what: "specified" lets anyone read, change and delete most records.
  // access: "owner",
  //
  // The account's quota of concurrent executions, of which single functions then reserve shares:
  // aws lambda get-account-settings --query AccountLimit.ConcurrentExecutions
  // lambdaConcurrency: 1_000,
  //
  // Required: who gets the alarms; "none" if nobody gets a mail. Then also: where their runbooks can be opened.
  // alarmEmail: "ops@example.com",
  // runbooks: "https://github.com/example/api/blob/main/docs/operations.md",
};
