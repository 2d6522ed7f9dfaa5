import { expect, it } from "vitest";
import { allRoutes } from "../../../functions/definitions.ts";
import { credentialsFor, prepareExample } from "../../support/api/examples.ts";
import { expectInvalid } from "../../support/api/expect-invalid.ts";
import { api } from "../../support/api/target.ts";
import { UNKNOWN_ID } from "../../support/data/values.ts";

const words = "abc 1.5 1e3 0x1 +1 %20 9007199254740993 %F0%9F%A7%80";
const malformed = [...words.split(" "), "9".repeat(30)];

/** What an id in the last place of these paths can be: where it is not 404, the type of the error of a 422. */
const rules = {
  "/todos/{id}": [404, 404],
  "/users/{id}": [404, 404],
  "/products/{product_id}": [404, "invalid_type"],
  "/orders/{order_id}": [404, "invalid_type"],
  "/items/{item_id}": [404, "invalid_type"],
  "/posts/{post_id}": ["too_small", "invalid_type"],
  "/users/{id}/posts/{post_id}": ["too_small", "invalid_type"],
} as const;

const cases = Object.entries(rules).flatMap(([prefix, [belowOne, otherwise]]) => {
  const ids = [
    [UNKNOWN_ID, 404] as const,
    ...[0, -1].map((id) => [id, belowOne] as const),
    ...malformed.map((id) => [id, otherwise] as const),
  ];
  return allRoutes
    .filter(({ pattern }) => pattern.startsWith(prefix))
    .map(({ key }) => ({ key, prefix, ids }));
});

it.each(cases)("$key has no $prefix of an id that no record can have", async ({ key, prefix, ids }) => {
  const request = await prepareExample(key, new Map());
  const headers = await credentialsFor(request);
  const place = prefix.split("/").length - 1;
  for (const [id, expected] of ids) {
    const [path = "", query = ""] = request.target.split(/(?=\?)/);
    const target = path.split("/").with(place, String(id)).join("/") + query;
    const response = await api.request(request.method, target, request.body, { headers });
    if (expected === 404) expect(response.status, target).toBe(404);
    else expectInvalid(response, [`path.${prefix.replace(/^.*\{|\}$/g, "")} ${expected}`]);
  }
});
