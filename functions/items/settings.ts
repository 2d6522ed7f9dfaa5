import type { AreaSettings } from "../define-area.ts";

export const settings: AreaSettings = {
  itemCacheSeconds: {
    variable: "ITEM_CACHE_SECONDS",
    default: "60",
    expectation: "must be a whole number of seconds, for example 60; 0 omits Cache-Control",
    parse: (text) => (/^\d{1,8}$/.test(text) ? String(Number(text)) : undefined),
  },
};
