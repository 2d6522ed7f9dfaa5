import { defineArea, type ExampleRequest } from "../define-area.ts";
import { routes } from "./routes.ts";
import { settings } from "./settings.ts";

const token = "3q2-7wQx0Zt6pYb1sVnJm4Rk8LcUe5HdGiAoFyTzN9M";
/** Only a mail has the token. */
const mailed = (body: object): ExampleRequest => ({ body: { token, ...body }, isIllustrative: true });

export const area = defineArea(routes, {
  position: 12,
  tags: { passwords: "Forgotten passwords and confirmed addresses, by mails to the account's address" },
  tables: { passwords: { hasIds: false } },
  uses: {
    passwords: ["dynamodb:DeleteItem", "dynamodb:GetItem", "dynamodb:PutItem", "dynamodb:UpdateItem"],
    accounts: ["dynamodb:GetItem", "dynamodb:UpdateItem"],
  },
  secrets: ["SIGNING_SECRETS"],
  jobs: {
    mail: {
      startedBy: "message",
      uses: { passwords: ["dynamodb:GetItem", "dynamodb:PutItem"], accounts: ["dynamodb:GetItem"] },
    },
  },
  settings,
  // A new password is hashed, as in functions/login.
  size: { memoryMegabytes: 1_769, timeoutSeconds: 20 },
  limits: {
    "POST /password-resets": { perSecond: 10, burst: 20 },
    "POST /password-resets/completion": { perSecond: 10, burst: 20 },
    "POST /confirmations": { perSecond: 10, burst: 20 },
  },
  fields: {
    token: "From the mail; valid for 15 minutes, and once",
    "PasswordResetRequest.username": "Case-sensitive",
    "PasswordResetCompletion.password": "The new one, with at least one digit and one uppercase letter, of any script",
    "AddressStatus.confirmed": "Whether a mail to the address has arrived",
    "AddressStatus.email": "The account's current address",
  },
  examples: {
    PasswordResetRequest: { username: "ada" },
    PasswordResetCompletion: { token, password: "Difference2" },
    ConfirmationToken: { token },
    AddressStatus: { email: "ada@example.com", confirmed: true },
  },
  requests: {
    "POST /password-resets": ({ unique }) => ({ body: { username: `ada${unique}` } }),
    "POST /password-resets/completion": mailed({ password: "Difference2" }),
    "POST /confirmations": {},
    "POST /confirmations/completion": mailed({}),
    "GET /confirmations/me": {},
  },
});
