import type { AreaSettings } from "./define-area.ts";
import { ofAreas } from "./of-areas.ts";

/** The settings of all areas, in files of their own: the local run reads them before all other code. */
export const areaSettings: AreaSettings = Object.assign({}, ...Object.values(await ofAreas("settings")));
