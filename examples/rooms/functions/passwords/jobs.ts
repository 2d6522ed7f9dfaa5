import { documentClient } from "../../lib/dynamodb/client.ts";
import { messageJob } from "../../lib/jobs/job.ts";
import { sendMail } from "../../lib/jobs/mail.ts";
import { AccountsRepository } from "../../lib/repositories/accounts/accounts.ts";
import { MailRequest, PasswordsRepository } from "../../lib/repositories/passwords.ts";
import { setting, tableName } from "../../lib/settings.ts";

const client = documentClient();

const subjects = { reset: "Your new password", confirmation: "Your address" } as const;

/** Mails a token to the address of an account, if there is one. If it is repeated, either of two tokens works once. */
export const mail = messageJob(client, MailRequest, async (request, signal) => {
  const accounts = new AccountsRepository(client, tableName("accounts"));
  const passwords = new PasswordsRepository(client, tableName("passwords"), accounts, Date.now);
  const issued = await passwords.issueToken(request);
  if (issued === undefined) return;
  const { token, username, email } = issued;
  const text = `The code for ${username}, valid for 15 minutes: ${token}\n\nIf you did not ask for it, do nothing.`;
  const { purpose } = request;
  const sent = { id: `${purpose}-${username}`, to: email, subject: subjects[purpose], text };
  await sendMail(setting("ACCOUNT_MAILS"), sent, signal);
});
