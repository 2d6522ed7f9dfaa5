import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SignatureV4 } from "@smithy/signature-v4";
import { Sha256 } from "../dynamodb/client.ts";
import { defaultProvider } from "../dynamodb/credentials.ts";
import { setting } from "../settings.ts";

export interface Mail {
  /** The same for each repetition, which replaces the file. */
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** Sends a mail from an address, or writes it to a folder. @throws Error if SES refuses it */
export async function sendMail(sender: string, mail: Mail, signal: AbortSignal): Promise<void> {
  if (sender.includes("@")) return sendBySes(sender, mail, signal);
  const { id, to, subject, text } = mail;
  mkdirSync(sender, { recursive: true });
  writeFileSync(join(sender, `${id}.eml`), `To: ${to}\nSubject: ${subject}\n\n${text}\n`);
}

/** One call of SES: its client would be half of the bundle. */
async function sendBySes(from: string, { to, subject, text }: Mail, signal: AbortSignal): Promise<void> {
  const region = setting("AWS_REGION");
  const [method, hostname, path] = ["POST", `email.${region}.amazonaws.com`, "/v2/email/outbound-emails"];
  const body = JSON.stringify({
    FromEmailAddress: from,
    Destination: { ToAddresses: [to] },
    Content: { Simple: { Subject: { Data: subject }, Body: { Text: { Data: text } } } },
  });
  const request = { method, protocol: "https:", hostname, path, body };
  const signer = new SignatureV4({ service: "ses", region, credentials: defaultProvider(), sha256: Sha256 });
  const { headers } = await signer.sign({ ...request, headers: { host: hostname, "content-type": "application/json" } });
  const response = await fetch(`https://${hostname}${path}`, { method, headers, body, signal });
  if (!response.ok) throw new Error(`SES responded with ${response.status}: ${await response.text()}`);
}
