import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setting } from "./settings.ts";

export interface Mail {
  /** The same for each repetition, which replaces the mail. */
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** Writes a mail to the folder of the setting `bookingMails`. */
export async function sendMail({ id, to, subject, text }: Mail): Promise<void> {
  const folder = setting("BOOKING_MAILS");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${id}.eml`), `To: ${to}\nSubject: ${subject}\n\n${text}\n`);
}
