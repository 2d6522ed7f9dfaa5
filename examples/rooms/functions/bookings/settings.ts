import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AreaSettings } from "../define-area.ts";

export const settings = {
  bookingMails: {
    variable: "BOOKING_MAILS",
    default: join(tmpdir(), "mails"),
    expectation: "must be an address that SES has verified, or the path of a folder",
    parse: (text) => text || undefined,
  },
  bookingWebhook: {
    variable: "BOOKING_WEBHOOK",
    default: "none",
    expectation: "must be a URL, or none",
    parse: (text) => (text === "none" || URL.canParse(text) ? text : undefined),
  },
} satisfies AreaSettings;
