import { roleNames } from "../../lib/domain/roles.ts";
import { statusByCode } from "../../lib/http/errors.ts";
import { entryAttributes } from "../../lib/records/idempotency.ts";
import { READINESS_KEY } from "../../lib/repositories/readiness.ts";
import { type Conditions, defineArea, fullRead, type RouteLimit } from "../define-area.ts";
import { routes } from "./routes.ts";
import { settings } from "./settings.ts";

const account = { username: "ada", email: "ada@example.com" };
const password = "Analytical1";
const registered = { ...account, age: 36, website: null };

/** Of a registration: `GetItem` reads an idempotency key and unprocessed items, `ConditionCheckItem` a lost outcome. */
export const registrationActions = [
  "dynamodb:BatchGetItem",
  "dynamodb:ConditionCheckItem",
  "dynamodb:GetItem",
  "dynamodb:PutItem",
] as const;

/** One password hash each, which takes 20 to 50 ms of one vCPU. */
const registrationLimit: RouteLimit = { perSecond: 50, burst: 100 };

const readableAttributes = [
  ...["pk", "sk", "username", "email", "role", "tokenVersion", "reserves"],
  ...entryAttributes,
];

/** `Select` is needed, because a request that names no attributes would return all of them. */
const withoutHashes: Conditions = {
  "ForAllValues:StringEquals": { "dynamodb:Attributes": readableAttributes },
  StringEqualsIfExists: { "dynamodb:Select": "SPECIFIC_ATTRIBUTES" },
};

const credentialAttributes = ["passwordHash", "tokenVersion", "loginsLeft"];

function limitedTo(keys: readonly string[], attributes: readonly string[]): Conditions {
  return {
    "ForAllValues:StringLike": { "dynamodb:LeadingKeys": keys },
    "ForAllValues:StringEquals": { "dynamodb:Attributes": ["pk", "sk", ...attributes] },
  };
}

/** Only `login` reads hashes and deletes accounts, nobody grants a role, `users` lists privileged accounts only. */
function conditions(functionName: string, action: string): Conditions | undefined {
  switch (action) {
    case "dynamodb:ConditionCheckItem":
      return limitedTo(["accounts#*"], []);
    case "dynamodb:PutItem":
      return limitedTo(
        ["accounts#*", "email#*", "key#*"],
        [...entryAttributes, ...credentialAttributes, "reserves", "username", "email", "age", "website"],
      );
    case "dynamodb:UpdateItem":
      return limitedTo(
        ["accounts#*", "failures#*"],
        [...credentialAttributes, "failures", "updatedAt", "attemptId", "expires_at"],
      );
    case "dynamodb:DeleteItem":
      return { "ForAllValues:StringLike": { "dynamodb:LeadingKeys": ["email#*", "privileged"] } };
    case "dynamodb:Query":
      return {
        ...withoutHashes,
        "ForAllValues:StringLike": {
          "dynamodb:LeadingKeys": functionName === "users" ? ["privileged"] : ["accounts#*"],
        },
      };
    default:
      // The readiness check needs a table, and nobody's data.
      if (functionName === "system")
        return { "ForAllValues:StringLike": { "dynamodb:LeadingKeys": [READINESS_KEY.pk] } };
      return functionName === "login" ? undefined : withoutHashes;
  }
}

export const area = defineArea(routes, {
  position: 1,
  tags: { accounts: "Registration, login and account data" },
  firstSteps: [
    "**Register** with `POST /users/` (with the slash).",
    "**Log in** with `POST /auth/login`. The response has an `access_token`, which is valid for 30 minutes. This page " +
      "sends it automatically; other clients send it as `Authorization: Bearer <access_token>`.",
    "**Read your account** with `GET /users/me`.",
  ],
  firstCalls: ["POST /users/"],
  tables: { accounts: { hasIds: false, conditions } },
  uses: { accounts: [...registrationActions, "dynamodb:Query"] },
  fallbackUses: { accounts: registrationActions },
  secrets: ["SIGNING_SECRETS"],
  settings,
  // Registration is open, as specified, unless the stage has a rule for it.
  access: { create: "anyone" },
  // A batch hashes 25 passwords. Limited, so that a flood leaves concurrency to the other functions.
  size: { memoryMegabytes: 1_769, timeoutSeconds: 20, concurrencyShare: 0.05 },
  limits: {
    "POST /users/": registrationLimit,
    "POST /users/batch": { perSecond: 2, burst: 10 },
    "GET /admin/users": fullRead,
  },
  // Each can be a batch of 25. Refused ones look for usernames.
  counted: {
    Registrations: {
      routes: ["POST /users/", "POST /users/batch"],
      statuses: [201, statusByCode.Conflict],
      functions: ["accounts", "users", "fallback"],
      alarm: { threshold: 100, meaning: "100 registrations were made, or refused because of a taken name" },
    },
  },
  fields: {
    age: "In years",
    created: "The number of accounts",
    role: new Intl.ListFormat("en", { type: "disjunction" }).format(roleNames.map((name) => `\`${name}\``)),
    username: "Case-sensitive",
    website: "An address that starts with http:// or https://",
    "Account.email": "Unique, ignoring case",
    "RegisteredUser.email": "Unique, ignoring case",
    "RegisteredUsers.items": "The accounts, in the order given",
    "UserCreate.email": "Unique, ignoring case",
    "UserCreate.password":
      "With at least one digit and one uppercase letter, of any script. A deployment can refuse the most used ones",
    "UserCreate.username":
      "Letters, digits and underscores; unique, ignoring case; a login needs the same case",
  },
  examples: {
    Account: { ...account, role: "user" },
    RegisteredUser: registered,
    RegisteredUsers: { created: 1, items: [registered] },
    UserCreate: { ...account, password, age: 36 },
  },
  firstRequest: "GET /users/me",
  requests: {
    "POST /users/": ({ unique }) => ({ body: registration(unique) }),
    "POST /users/batch": ({ unique }) => ({ body: [registration(`${unique}_2`)] }),
    "GET /users/me": {},
    "GET /admin/users": { query: { limit: 10 } },
  },
});

function registration(unique: string) {
  const username = `ada${unique}`;
  return { username, email: `${username}@example.com`, password, age: 36 };
}
