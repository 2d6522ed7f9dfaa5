import * as z from "zod/mini";
import type { Passwords } from "../../lib/auth/passwords.ts";
import { type Tokens, unauthorized } from "../../lib/auth/tokens.ts";
import type { ApiError } from "../../lib/domain/errors.ts";
import { response, routeBuilder } from "../../lib/http/route.ts";
import type { AccountsRepository } from "../../lib/repositories/accounts/accounts.ts";
import { type LoginThrottle, tooManyAttempts } from "../../lib/repositories/accounts/login-throttle.ts";
import { SECRET, Token } from "../../lib/validators/account.ts";
import { withMetadata } from "../../lib/validators/metadata.ts";
import { textParameter } from "../../lib/validators/parameter.ts";

interface LoginDependencies {
  readonly accounts: Pick<AccountsRepository, "rehash">;
  readonly loginThrottle: LoginThrottle;
  readonly passwords: Passwords;
  readonly tokens: Tokens;
}

const route = routeBuilder<LoginDependencies>({ tag: "accounts", errorFormat: "detail", access: "public" });

/**
 * The login (specification, "Authentication and account routes"). It has a function of its own, so that
 * registrations, of which one request can hash 25 passwords, do not keep logins waiting.
 */
export const routes = [
  route("POST /auth/login", {
    operationId: "logIn",
    summary: "Log in with username and password",
    description:
      "Send the parameters in the body: query strings end up in logs. The token is valid for 30 minutes. After five " +
      "failures from one address for one username within 15 minutes, or 300 for any username, further attempts from " +
      "there must wait 1 to 30 seconds, or longer while the username is attacked from many addresses.",
    request: {
      query: z.object({
        username: textParameter(z.string(), "Case-sensitive"),
        password: textParameter(withMetadata(z.string(), SECRET), "Compared in the Unicode form NFKC"),
      }),
    },
    queryInBody: true,
    secretQuery: true,
    responses: { 200: Token },
    errors: {
      401: { when: "The user is unknown or the password differs", example: wrongLogin() },
      429: {
        when: "Too many failed logins; `Retry-After` says when to try again",
        example: tooManyAttempts(4_000),
      },
    },
    handle: async (
      { query: { username, password }, address },
      { accounts, loginThrottle, passwords, tokens },
    ) => {
      const attempt = await loginThrottle.begin(username, address);
      const { account } = attempt;
      // Without an account it costs the same: the time must not reveal who has one.
      const isRight = await passwords.verify(password, account?.passwordHash);
      if (account === undefined || !isRight) {
        await attempt.failed();
        throw wrongLogin();
      }
      await attempt.succeeded();
      if (passwords.needsRehash(account.passwordHash))
        await accounts.rehash(username, account.passwordHash, await passwords.hash(password));
      const token = { access_token: await tokens.issue(username), token_type: "bearer" } as const;
      return response(200, token);
    },
  }),
];

function wrongLogin(): ApiError {
  return unauthorized("Incorrect username or password");
}
