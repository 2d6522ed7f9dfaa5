import type { AreaSettings } from "../define-area.ts";

/** The bodies of `GET /users` without a version header, one of which a deployment chooses. */
export const usersListFormats = ["records", "versioned"] as const;
export type UsersListFormat = (typeof usersListFormats)[number];

export const DEFAULT_VERSION_HEADER = "api-version";

/** A field name (RFC 9110, 5.1). */
const headerName = /^[\w!#$%&'*+.^`|~-]+$/;

export const settings: AreaSettings = {
  usersList: {
    variable: "USERS_LIST",
    default: "records",
    expectation: "must be records or versioned",
    parse: (text) => usersListFormats.find((format) => format === text),
  },
  versionHeader: {
    variable: "VERSION_HEADER",
    default: DEFAULT_VERSION_HEADER,
    expectation: "must be a header name, for example api-version",
    parse: (text) => (headerName.test(text) ? text.toLowerCase() : undefined),
  },
};
