/**
 * What the list of users asks about its callers and the accounts.
 *
 * @param admins the e-mail addresses of administrators' accounts
 * @returns dependencies for which a token is the role of its owner
 */
export function authorization(admins: readonly string[]) {
  return {
    roles: { emailsWithRole: async () => new Set(admins) },
    tokens: { verify: async (token: string) => ({ username: token, version: 0 }) },
    accounts: {
      getProfile: async (role: string) => ({ username: role, email: "a@example.com", role, tokenVersion: 0 }),
    },
  };
}
