import { globSync } from "node:fs";
import type { AreaSettings } from "./define-area.ts";

const files = globSync("*/settings.ts", { cwd: import.meta.dirname }).sort();
const modules = await Promise.all(files.map((file) => import(`./${file}`)));

/** The settings of all areas. They are in files of their own, because the local run reads them before all other code. */
export const areaSettings: AreaSettings = Object.assign({}, ...modules.map(({ settings }) => settings));
