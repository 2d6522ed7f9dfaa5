import type { AreaSettings } from "../define-area.ts";

export const settings: AreaSettings = {
  reservedUsernames: {
    variable: "RESERVED_USERNAMES",
    default: "",
    description: "usernames that nobody can register, besides admin, root, support and the like",
    expectation: "must be usernames, comma-separated, for example sales,billing",
    parse: (text) => (/^(\w{3,50}(,\w{3,50})*)?$/.test(text) ? text.toLowerCase() : undefined),
  },
};
