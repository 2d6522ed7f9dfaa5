import { registrationActions } from "../accounts/area.ts";
import { settings as registrationSettings } from "../accounts/settings.ts";
import { defineArea, fullRead, list, recordActions } from "../define-area.ts";
import { routes, usersRoutes } from "./routes.ts";
import { settings } from "./settings.ts";

const person = { name: "Ada", email: "ada@example.com", age: 36 };
const user = { id: 1, ...person };

export const area = defineArea(routes, {
  position: 5,
  tags: { users: "User records, which are separate from accounts; lists are versioned by header" },
  tables: {
    users: {
      hasIds: true,
      personal: { emailField: "email" },
      // Of the versions, which only count what they read.
      conditions: (functionName, action) =>
        functionName === "api-key" && action === "dynamodb:UpdateItem"
          ? { "ForAllValues:StringLike": { "dynamodb:LeadingKeys": ["reads#*"] } }
          : undefined,
    },
  },
  uses: {
    users: recordActions,
    // Filters by the role of accounts; handles `POST /users/` where the gateway ignores the slash.
    accounts: [...registrationActions, "dynamodb:Query"],
  },
  // Only administrators learn who is one.
  secrets: ["SIGNING_SECRETS"],
  settings: { ...settings, ...registrationSettings },
  routesWith: ({ versionHeader = "" }) => usersRoutes(versionHeader),
  limits: {
    "GET /users": list,
    "GET /users/search": fullRead,
    "POST /users/search": fullRead,
    // With name and e-mail of 2,080 bytes.
    "PUT /users/{id}": { writeOfKey: 3 },
    "PATCH /users/{id}": { writeOfKey: 3 },
    "DELETE /users/{id}": { write: 10 },
  },
  fields: {
    age: "In years",
    data: "The user; null in an error",
    email: "Contains an `@`; need not be unique",
    users: "In id order by default, with the selected fields",
    version: "The version of this envelope",
    "UserResponse.error": "The error message; null for a success",
    "UserResponse.success": "False for an error",
    "UserSearch.filters": "A user matches if it equals every field given",
    "UserSearchFilters.id": "Only the user with this id",
    "UserSearchFilters.name": "Only users with exactly this name",
    "UserSearchFilters.email": "Only users with exactly this e-mail",
    "UserSearchFilters.age": "Only users of this age",
    "UsersMetadata.total": "The number of users in this response",
    "UsersV2.metadata": "About this list",
  },
  examples: {
    CreateUserRequest: person,
    ListedUser: user,
    PatchUserRequest: { age: 37 },
    User: user,
    UserResponse: { success: true, data: user, error: null },
    UserSearch: { filters: { name: "Ada" }, sort: "-age", page: 1, size: 10 },
    UserSearchFilters: { name: "Ada" },
    UsersMetadata: { total: 1 },
    UsersV1: { version: "1.0", users: [user] },
    UsersV2: { version: "2.0", users: [user], metadata: { total: 1 } },
  },
  requests: {
    "POST /users": ({ unique }) => ({ body: { ...person, name: `${person.name}${unique}` } }),
    "GET /users": { query: { name: "ad", sort: "age", limit: 10 } },
    "GET /users/search": { query: { q: "ada" } },
    "POST /users/search": { body: { filters: { name: "Ada" }, sort: "-age" } },
    "PUT /users/{id}": { body: { ...person, age: 37 } },
    "PATCH /users/{id}": { body: { age: 37 } },
  },
  trial: { record: { ...person, name: "Trial" } },
});
