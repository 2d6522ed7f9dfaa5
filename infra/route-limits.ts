/** What the gateway lets through of one route, in every stage. */
interface RouteLimit {
  readonly perSecond: number;
  /** The size of the bucket that fills up at that rate. */
  readonly atOnce: number;
}

/**
 * The routes that hash passwords, by the gateway's keys. A hash is 20 to 50 ms of a whole CPU and 19 MB, so
 * that these are what a flood could make dear; what is beyond gets the gateway's own 429.
 *
 * Failed logins slow down by themselves, account by account (lib/repositories/accounts/login-throttle.ts); this bounds them for
 * all accounts together, and a volley at one of them.
 */
export const routeLimits: Readonly<Record<string, RouteLimit>> = {
  "POST /auth/login": { perSecond: 20, atOnce: 50 },
  // Registers accounts as `POST /users/`, and creates user records.
  "POST /users": { perSecond: 50, atOnce: 100 },
  // 25 hashes each.
  "POST /users/batch": { perSecond: 5, atOnce: 20 },
  // Where `POST /users/` ends up if the gateway tells it from `POST /users` (docs/adr/0001).
  "POST /{proxy+}": { perSecond: 50, atOnce: 100 },
};
