import { globSync } from "node:fs";
import type { AreaSettings } from "./define-area.ts";

const files = globSync("*/settings.ts", { cwd: import.meta.dirname }).sort();
const modules = await Promise.all(files.map((file) => import(`./${file}`)));

/** The settings of all areas, in files of their own: the local run reads them before all other code. */
export const areaSettings: AreaSettings = Object.assign({}, ...modules.map(({ settings }) => settings));
