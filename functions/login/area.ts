import { statusByCode } from "../../lib/http/errors.ts";
import { passwordSettings } from "../accounts/settings.ts";
import { defineArea, type ExampleContext, type ExampleRequest } from "../define-area.ts";
import { routes } from "./routes.ts";

const credentials = { username: "ada", password: "Analytical1" };

export const area = defineArea(routes, {
  firstCalls: ["POST /auth/login"],
  uses: {
    accounts: [
      "dynamodb:BatchGetItem",
      "dynamodb:ConditionCheckItem",
      "dynamodb:DeleteItem",
      "dynamodb:GetItem",
      "dynamodb:PutItem",
      "dynamodb:UpdateItem",
    ],
  },
  secrets: ["SIGNING_SECRETS"],
  settings: passwordSettings,
  // Limited apart from registrations, so that these do not keep logins waiting.
  size: { memoryMegabytes: 1_769, timeoutSeconds: 20, concurrencyShare: 0.1 },
  limits: {
    "POST /auth/login": { perSecond: 20, burst: 50 },
    "PUT /users/me/password": { perSecond: 10, burst: 20 },
    "POST /users/me/deletion": { perSecond: 10, burst: 20 },
  },
  // One address that tries twenty usernames, or many addresses: at each username it has to wait after five failures.
  counted: {
    FailedLogins: {
      routes: ["POST /auth/login", "PUT /users/me/password", "POST /users/me/deletion"],
      statuses: [statusByCode.Unauthorized, statusByCode.Forbidden, statusByCode.TooManyRequests],
      alarm: { threshold: 100, meaning: "100 passwords were wrong or had to wait" },
    },
  },
  fields: {
    access_token: "Sent as `Authorization: Bearer …`; valid for 30 minutes",
    new_password:
      "At least one digit and one uppercase letter, of any script; not the current password. A deployment can refuse " +
      "the most common ones",
    "OwnPassword.password": "The account's current password",
    "PasswordChange.password": "The account's current password",
    token_type: "The scheme of `Authorization`",
  },
  examples: {
    LogInRequest: credentials,
    OwnPassword: { password: credentials.password },
    PasswordChange: { password: credentials.password, new_password: "Difference2" },
    Token: { access_token: "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhZGEifQ.c2lnbmF0dXJl", token_type: "bearer" },
  },
  requests: {
    "POST /auth/login": ({ unique }) => ({
      body: { ...credentials, username: `${credentials.username}${unique}` },
      after: ["POST /users/"],
    }),
    "PUT /users/me/password": (context) => own(context, { new_password: "Difference2" }),
    "POST /users/me/deletion": own,
  },
  tokenRoute: "POST /auth/login",
});

/** Ends the token that other requests use. */
function own({ unique }: ExampleContext, more: object = {}): ExampleRequest {
  const username = `${credentials.username}${unique}`;
  const body = { password: credentials.password, ...more };
  return { username, body, after: ["POST /users/"], isIllustrative: true };
}
