import * as z from "zod/mini";
import { type BearerDependencies, ownAccount } from "../../lib/auth/authorizers.ts";
import { type Passwords, refuseMostUsed } from "../../lib/auth/passwords.ts";
import { response, routeBuilder } from "../../lib/http/route.ts";
import { invalidMailToken, type PasswordsRepository } from "../../lib/repositories/passwords.ts";
import {
  AddressStatus,
  ConfirmationToken,
  PasswordResetCompletion,
  PasswordResetRequest,
} from "../../lib/validators/password.ts";

interface PasswordsDependencies extends BearerDependencies {
  readonly mailTokens: PasswordsRepository;
  readonly passwords: Pick<Passwords, "hash">;
}

const route = routeBuilder<PasswordsDependencies>({ tag: "passwords", errorFormat: "detail", access: "public" });
const errors = {
  400: { when: "The token is unknown, used or expired, or the account has changed", example: invalidMailToken() },
};

export const routes = [
  route("POST /password-resets", {
    operationId: "requestPasswordReset",
    summary: "Ask for a mail with which a forgotten password can be replaced",
    description:
      "The response is the same for any username, and takes as long: it says neither whether there is such an " +
      "account nor whether it gets a mail. Three mails an hour are sent to an address.",
    request: { body: PasswordResetRequest },
    responses: { 204: z.undefined() },
    handle: async ({ body: { username } }, { mailTokens }) => {
      await mailTokens.requestMail(username, "reset");
      return response(204);
    },
  }),
  route("POST /password-resets/completion", {
    operationId: "resetPassword",
    summary: "Replace a forgotten password",
    description: "Ends all tokens of the account, and confirms nothing else. A locked account stays locked.",
    request: { body: PasswordResetCompletion },
    secretFields: ["password", "token"],
    responses: { 204: z.undefined() },
    errors,
    handle: async ({ body: { token, password } }, { mailTokens, passwords }) => {
      refuseMostUsed({ "body.password": password });
      await mailTokens.resetPassword(token, () => passwords.hash(password));
      return response(204);
    },
  }),
  route("POST /confirmations", {
    operationId: "requestConfirmation",
    summary: "Ask for a mail that confirms the address of the token's account",
    description: "Three mails an hour are sent to an address; further requests have no effect.",
    authorizer: ownAccount,
    responses: { 204: z.undefined() },
    handle: async ({ caller: { username } }, { mailTokens }) => {
      await mailTokens.requestMail(username, "confirmation");
      return response(204);
    },
  }),
  route("POST /confirmations/completion", {
    operationId: "confirmAddress",
    summary: "Confirm an address with the token that was mailed to it",
    description: "It needs no login: the mail may be read on another device.",
    request: { body: ConfirmationToken },
    secretFields: ["token"],
    responses: { 204: z.undefined() },
    errors,
    handle: async ({ body: { token } }, { mailTokens }) => {
      await mailTokens.confirm(token);
      return response(204);
    },
  }),
  route("GET /confirmations/me", {
    operationId: "getAddressStatus",
    summary: "Find out whether the address of the token's account is confirmed",
    description: "Another address has to be confirmed anew.",
    authorizer: ownAccount,
    responses: { 200: AddressStatus },
    handle: async ({ caller }, { mailTokens }) =>
      response(200, { email: caller.email, confirmed: await mailTokens.isConfirmed(caller) }),
  }),
];
