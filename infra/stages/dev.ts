import type { StageSettings } from "../settings.ts";

/** The settings of `dev`, and of stages such as `dev-alice`. docs/settings.md lists all; `-c name=value` overrides one. */
export const settings: StageSettings = {};
