/** The throttling of one route at the gateway, in every stage. */
interface RouteLimit {
  readonly perSecond: number;
  readonly burst: number;
}

/**
 * The limits of the routes that hash passwords, by route key. A hash takes 20 to 50 ms of one vCPU and 19 MB, so
 * a flood of these requests would be expensive; requests above the limit get the gateway's own 429.
 *
 * Failed logins are throttled per account (lib/repositories/accounts/login-throttle.ts). These limits apply to all
 * accounts together, and to many parallel attempts at one of them.
 */
export const routeLimits: Readonly<Record<string, RouteLimit>> = {
  "POST /auth/login": { perSecond: 20, burst: 50 },
  // Also registers accounts, as `POST /users/`.
  "POST /users": { perSecond: 50, burst: 100 },
  // 25 hashes each.
  "POST /users/batch": { perSecond: 5, burst: 20 },
  // Receives `POST /users/` if the gateway distinguishes it from `POST /users` (docs/adr/0001).
  "POST /{proxy+}": { perSecond: 50, burst: 100 },
};
