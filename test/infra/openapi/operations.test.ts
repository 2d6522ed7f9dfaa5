import { describe, expect, it } from "vitest";
import { ApiError } from "../../../lib/domain/errors.ts";
import { formatProblem, PROBLEM_MEDIA_TYPE } from "../../../lib/http/errors.ts";
import { UserCreate } from "../../../lib/validators/account.ts";
import { document, operation, response } from "../../support/infra/openapi.ts";
import { routes } from "../../support/own-access.ts";

it("an operation states the pattern of an account's e-mail, which decides alone", () => {
  const { pattern = "", ...email } = document.components.schemas.UserCreate?.properties?.email ?? {};

  expect(email).toMatchObject({ type: "string", maxLength: 254 });
  for (const address of ["a@b.co", "First.Last+tag@Sub.Example.ORG", "ada@b", "@b.co", "a..b@c.de", "é@b.co"])
    expect(new RegExp(pattern).test(address)).toBe(UserCreate.shape.email.safeParse(address).success);
});

// A service may have removed some of these.
const refusing = ["POST /auth/login", "GET /users", "GET /todos", "GET /posts/stats/summary", "POST /posts"];
const own = refusing.filter((key) => routes.some((route) => route.key === key));
it.each(own)("%s can be refused by the area itself, and says when to try again", (key) => {
  expect(response(key, 429).headers).toHaveProperty("retry-after");
  expect(response("GET /users/me", 429).headers).toBeUndefined();
});

describe("the errors of an operation", () => {
  const keys = routes.map(({ key }) => key);
  const statusesOf = (key: string) => Object.keys(operation(key).responses).map(Number);

  it.each(keys)("of %s are problem details if asked for, unless only the gateway sends them", (key) => {
    const errors = statusesOf(key).filter((status) => status >= 400);
    const withoutProblem = errors.filter((status) => !response(key, status).content?.[PROBLEM_MEDIA_TYPE]);

    expect(withoutProblem.filter((status) => ![413, 429, 431].includes(status))).toEqual([]);
    expect(withoutProblem).toContain(431);
    // A login has a 429 of its own, and so has what shares the units of a table.
    const hasOwn = response(key, 429).headers?.["retry-after"] !== undefined;
    expect(withoutProblem.includes(429)).toBe(!hasOwn);
  });

  it("include a body that is too large or compressed, exactly where the operation takes one", () => {
    const withBody = keys.filter((key) => operation(key).requestBody);

    for (const status of [413, 415])
      expect(keys.filter((key) => statusesOf(key).includes(status))).toEqual(withBody);
    expect(withBody).toContain("POST /auth/login");
  });

  it("have the shape of the problem that the service sends", () => {
    const { properties = {}, required = [] } = document.components.schemas.Problem ?? {};
    const detail = { field: "body.a", message: "Required", type: "missing" } as const;
    const membersOf = (error: ApiError) => Object.keys(JSON.parse(JSON.stringify(formatProblem(error, "/"))));
    const full = new ApiError("Conflict", "Taken", { field: "a", details: [detail] });
    expect(membersOf(full).sort()).toEqual(Object.keys(properties).sort());
    expect(membersOf(new ApiError("NotFound", "None")).sort()).toEqual([...required].sort());
  });
});
