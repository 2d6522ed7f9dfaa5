import type { StageSettings } from "../settings/settings.ts";

/** The settings of `dev` and of stages such as `dev-alice`, which docs/settings.md lists. */
export const settings: StageSettings = {};
