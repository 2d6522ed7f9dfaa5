import { readFileSync } from "node:fs";
import type { AreaSettings } from "../define-area.ts";

/** Chosen from SecLists' 100k-most-used-passwords-NCSC.txt (MIT): what a registration accepts with a capital letter. */
const file = new URL("most-used-passwords.txt", import.meta.url);
const mostUsed = readFileSync(file, "utf8").trim().split(/\s+/).join();
const refused = new Map([
  ["none", ""],
  ["most-used", mostUsed],
]);

/** Of each function in which somebody chooses a password: none has the list unless it is set. */
export const passwordSettings: AreaSettings = {
  refusedPasswords: {
    variable: "REFUSED_PASSWORDS",
    default: "none",
    expectation: "must be none or most-used",
    parse: (text) => refused.get(text),
  },
};

export const settings: AreaSettings = {
  ...passwordSettings,
  reservedUsernames: {
    variable: "RESERVED_USERNAMES",
    default: "",
    expectation: "must be usernames, comma-separated, for example sales,billing",
    parse: (text) => (/^(\w{3,50}(,\w{3,50})*)?$/.test(text) ? text.toLowerCase() : undefined),
  },
};
