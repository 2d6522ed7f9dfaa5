import type { AreaSettings } from "../define-area.ts";
import { mostUsedPasswords } from "./most-used-passwords.ts";

const refused: Readonly<Record<string, readonly string[]>> = { none: [], "most-used": mostUsedPasswords };

/** Of each function in which somebody chooses a password: none has the list unless it is set. */
export const passwordSettings: AreaSettings = {
  refusedPasswords: {
    variable: "REFUSED_PASSWORDS",
    default: "none",
    description: "passwords that nobody can choose: none, or the most common ones that the rules allow",
    expectation: "must be none or most-used",
    parse: (text) => refused[text]?.join(),
  },
};

export const settings: AreaSettings = {
  ...passwordSettings,
  reservedUsernames: {
    variable: "RESERVED_USERNAMES",
    default: "",
    description: "usernames that nobody can register, in addition to admin, root, support and similar names",
    expectation: "must be usernames, comma-separated, for example sales,billing",
    parse: (text) => (/^(\w{3,50}(,\w{3,50})*)?$/.test(text) ? text.toLowerCase() : undefined),
  },
};
