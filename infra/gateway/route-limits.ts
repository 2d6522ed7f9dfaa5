/** The throttling of one route at the gateway, in every stage. */
interface RouteLimit {
  readonly perSecond: number;
  readonly burst: number;
}

/** Logins. A password hash takes 20 to 50 ms of one vCPU and 19 MB. */
const login: RouteLimit = { perSecond: 20, burst: 50 };

/** One password hash each. */
const registration: RouteLimit = { perSecond: 50, burst: 100 };

/** 25 password hashes each. */
const batch: RouteLimit = { perSecond: 5, burst: 20 };

/** Reads every record of an area, whatever the client asks for. */
const scan: RouteLimit = { perSecond: 20, burst: 40 };

/** Reads every record of an area if the client asks for no page, or for a sort or filter without an index. */
const list: RouteLimit = { perSecond: 200, burst: 400 };

/** Writes a record of up to 400 KB, which is as much as 400 small ones. */
const largeWrite: RouteLimit = { perSecond: 200, burst: 400 };

/** Sends up to 0.5 MB, which is most of what an attacker of a service without records could make it cost. */
const documentation: RouteLimit = { perSecond: 50, burst: 200 };

/**
 * The limits of the routes that cost much more than others, by route key. Requests above the limit get the gateway's
 * own 429. The stage's limit applies to all others; what tables serve is limited in infra/tables.ts.
 *
 * A gateway that distinguishes `/users/` from `/users` sends only three kinds of `POST` with a trailing slash to
 * `POST /{proxy+}`: registrations, creations of items, and requests to be redirected or refused (docs/adr/0001). That
 * key has no limit of its own, because requests to unknown paths, which cost little, would use it up. The concurrency
 * reserved for `fallback` limits its password hashes (infra/sizing.ts).
 *
 * Failed logins are also throttled per account (lib/repositories/accounts/login-throttle.ts).
 */
export const routeLimits: Readonly<Record<string, RouteLimit>> = {
  "POST /auth/login": login,
  // Also registers accounts, as `POST /users/`.
  "POST /users": registration,
  "POST /users/batch": batch,

  "GET /posts/search": scan,
  "GET /posts/stats/summary": scan,
  "GET /users/search": scan,
  "POST /users/search": scan,
  "GET /admin/users": scan,

  "GET /todos": list,
  "GET /users": list,
  "GET /api/v1/users": list,
  "GET /api/v2/users": list,
  "GET /products": list,
  "GET /orders": list,
  "GET /posts": list,
  "GET /users/{id}/posts": list,

  "POST /todos": largeWrite,
  "PUT /todos/{id}": largeWrite,
  "POST /posts": largeWrite,
  "POST /users/{id}/posts": largeWrite,
  "PUT /posts/{post_id}": largeWrite,
  "PATCH /posts/{post_id}": largeWrite,
  "POST /items": largeWrite,

  "GET /docs": documentation,
  "GET /openapi.json": documentation,
};
