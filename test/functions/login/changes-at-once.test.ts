import { isDeepStrictEqual } from "node:util";
import { describe, expect, it } from "vitest";
import { routes } from "../../../functions/login/routes.ts";
import { Passwords } from "../../../lib/auth/passwords.ts";
import { Tokens } from "../../../lib/auth/tokens.ts";
import { ApiError, preconditionFailed } from "../../../lib/domain/errors.ts";
import { createHandler } from "../../../lib/http/handler.ts";
import { lockOf, type StoredAccount } from "../../../lib/repositories/accounts/account-items.ts";
import { AccountQueries } from "../../../lib/repositories/accounts/account-queries.ts";
import { AccountsRepository } from "../../../lib/repositories/accounts/accounts.ts";
import { LoginThrottle } from "../../../lib/repositories/accounts/login-throttle.ts";
import { clientOf } from "../../support/api/invoke.ts";
import { engines, recordTable, testClient } from "../../support/database/database.ts";
import { injectFaults } from "../../support/database/faults.ts";
import { scaled } from "../../support/effort.ts";

const passwords = new Passwords({ memory: 8, passes: 1, parallelism: 1 });
/** The account's own, by its owner, by an operator, and for one login. */
const known = ["Before 11", "Owner 11", "Operator 11", "Once 111"] as const;
const [before, owner, operator, once] = known;
const hashes = new Map<string, string>(
  await Promise.all(known.map(async (it) => [it, await passwords.hash(it)] as const)),
);
// A login hashes it again.
const older = await new Passwords({ memory: 8, passes: 2, parallelism: 1 }).hash(before);
const hashOf = (password: string) => hashes.get(password) ?? "";
const now = () => new Date("2030-01-01T12:00:00.000Z");
const tokens = new Tokens({ secrets: async () => ["secret"], now });

interface Actor {
  readonly accounts: AccountsRepository;
  /** The status of a request with the account's first token. */
  request(key: string, body: object): Promise<number>;
}

const changed =
  (change: (account: StoredAccount, actor: Actor) => Promise<boolean>) =>
  async (username: string, actor: Actor) => {
    const account = await actor.accounts.get(username);
    return account !== undefined && (await change(account, actor));
  };
const saved = (fields: Partial<StoredAccount>) =>
  changed(async (account, { accounts }) => {
    const { username, email, role, passwordHash } = account;
    await accounts.save({ username, email, role, passwordHash, ...fields }, (current) => {
      if (!isDeepStrictEqual(current, account)) throw preconditionFailed();
    });
    return true;
  });
const requested =
  (key: string, body: (username: string) => object) => async (username: string, actor: Actor) =>
    (await actor.request(key, body(username))) < 300;

/** What a request or a command (ops/account.ts) changes. */
const actions = {
  "change password": requested("PUT /users/me/password", () => ({ password: before, new_password: owner })),
  "delete account": requested("POST /users/me/deletion", () => ({ password: before })),
  "log in": requested("POST /auth/login", (username) => ({ username, password: before })),
  lock: changed((account, { accounts }) => accounts.update(account, lockOf(account))),
  unlock: changed((account, { accounts }) => accounts.update(account, { loginsLeft: null })),
  reset: changed((account, { accounts }) =>
    accounts.update(account, { ...lockOf(account), passwordHash: hashOf(once), loginsLeft: 1 }),
  ),
  erase: changed((account, { accounts }) => accounts.remove(account)),
  "grant role": saved({ role: "admin" }),
  "set e-mail": saved({ email: "new@example.com" }),
  "set password": saved({ passwordHash: hashOf(operator) }),
};
type Action = keyof typeof actions;
const names = Object.keys(actions) as Action[];
const pairs = names.flatMap((first, i) => names.slice(i).map((second) => [first, second] as const));
const tried = pairs.slice(0, scaled(scaled(pairs.length)));

/**
 * Lets one call of two actors pass at a time. Where both wait, `choices` tells which, and otherwise the first;
 * afterwards it has all choices that were made.
 */
function takingTurns(choices: number[]) {
  const waiting: ((() => void) | undefined)[] = [];
  const ended = new Set<number>();
  let made = 0;
  const next = () => {
    if ([0, 1].some((actor) => !waiting[actor] && !ended.has(actor))) return;
    const both = waiting[0] !== undefined && waiting[1] !== undefined;
    if (both && made === choices.length) choices.push(0);
    const actor = both ? (choices[made++] ?? 0) : waiting[0] ? 0 : 1;
    const pass = waiting[actor];
    waiting[actor] = undefined;
    pass?.();
  };
  return {
    pass: (actor: number) =>
      new Promise<undefined>((resolve) => {
        waiting[actor] = () => resolve(undefined);
        next();
      }),
    end: (actor: number) => {
      ended.add(actor);
      next();
    },
  };
}

describe.each(engines)("changes of an account at once on $name", ({ endpoint }) => {
  let tries = 0;

  async function openTable() {
    const table = await recordTable(endpoint, "S");
    const observer = testClient(endpoint);
    const accounts = new AccountsRepository(observer, table);
    const lists = new AccountQueries(observer, table);
    let pass = async (_: number): Promise<undefined> => undefined;
    const actors = [0, 1].map((index) => {
      const client = testClient(endpoint);
      injectFaults(client, () => pass(index));
      const own = new AccountsRepository(client, table);
      const loginThrottle = new LoginThrottle(client, table, now);
      const dependencies = { accounts: own, loginThrottle, passwords, tokens };
      return { accounts: own, api: clientOf(createHandler(routes, () => () => dependencies)) };
    });

    async function stateOf(username: string) {
      const account = await accounts.get(username);
      if (account === undefined) return "deleted";
      const isPassword = await Promise.all(known.map((it) => passwords.verify(it, account.passwordHash)));
      const { email, role, tokenVersion, loginsLeft } = account;
      const isListed = (await lists.emailsWithRole("admin")).has(email);
      return { email, role, isListed, tokenVersion, loginsLeft, password: known[isPassword.indexOf(true)] };
    }

    /** @returns whether each was done, and the account afterwards */
    return async (run: readonly (Action | undefined)[], choices?: number[]) => {
      tries += 1;
      const username = `ada${tries}`;
      const email = `${username}@example.com`;
      const account = { username, email, passwordHash: older, age: 36, website: null };
      await accounts.registerAll([account], undefined);
      const token = await tokens.issue(username);
      const turns = choices && takingTurns(choices);
      pass = async (index) => turns?.pass(index);
      const acting = async (index: number) => {
        const { api, accounts: own } = actors[index] as (typeof actors)[0];
        const request = async (key: string, body: object) => {
          const [method = "", target = ""] = key.split(" ");
          const headers = { authorization: `Bearer ${token}` };
          return (await api.request(method, target, body, { headers })).status;
        };
        const name = run[index];
        const isDone = name && actions[name](username, { accounts: own, request });
        const outcome = await Promise.resolve(isDone).catch((error) => {
          if (error instanceof ApiError) return false;
          throw error;
        });
        turns?.end(index);
        return outcome ?? "absent";
      };
      const outcomes: unknown[] = [];
      if (turns) outcomes.push(...(await Promise.all([acting(0), acting(1)])));
      else for (const index of [0, 1]) outcomes.push(await acting(index));
      const state = JSON.stringify(await stateOf(username)).replaceAll(username, "ada");
      // The address is taken by one at a time.
      await accounts.get(username).then((left) => left && accounts.remove(left));
      return { outcomes, state };
    };
  }

  it.each(tried)("%s, %s: one after the other, or one is refused, in every order", async (a, b) => {
    const attempt = await openTable();
    const [ab, ba] = [await attempt([a, b]), await attempt([b, a])];
    const [onlyA, onlyB] = [await attempt([a, undefined]), await attempt([undefined, b])];
    const allowed = [
      ab,
      { outcomes: [...ba.outcomes].reverse(), state: ba.state },
      { outcomes: [onlyA.outcomes[0], false], state: onlyA.state },
      { outcomes: [false, onlyB.outcomes[1]], state: onlyB.state },
    ];
    let orders = 0;
    let choices: number[] | undefined = [];
    while (choices) {
      const taken: number[] = choices;
      expect(allowed).toContainEqual(await attempt([a, b], taken));
      orders += 1;
      const last = taken.lastIndexOf(0);
      choices = last === -1 ? undefined : [...taken.slice(0, last), 1];
    }
    expect(orders).toBeGreaterThan(2);
  });
});
