import { tmpdir } from "node:os";
import { join } from "node:path";
import { passwordSettings } from "../accounts/settings.ts";
import type { AreaSettings } from "../define-area.ts";

export const settings = {
  ...passwordSettings,
  accountMails: {
    variable: "ACCOUNT_MAILS",
    default: join(tmpdir(), "mails"),
    expectation: "must be an address that SES has verified, or the path of a folder",
    parse: (text) => text || undefined,
  },
} satisfies AreaSettings;
