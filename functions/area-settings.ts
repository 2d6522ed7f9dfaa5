import { existsSync, readdirSync } from "node:fs";
import type { AreaSettings } from "./define-area.ts";

const areas = readdirSync(import.meta.dirname).filter((name) =>
  existsSync(`${import.meta.dirname}/${name}/settings.ts`),
);

/** The settings of all areas. They are in files of their own, because the local run reads them before all other code. */
export const areaSettings: AreaSettings = Object.assign(
  {},
  ...(await Promise.all(areas.map((name) => import(`./${name}/settings.ts`)))).map(
    ({ settings }) => settings,
  ),
);
