import { SignJWT } from "jose";
import { secretValues } from "../support/data/credentials.ts";

export type Texts = readonly [string, ...string[]];

/** Those without spaces and escapes. */
const words = `
  __proto__ constructor toString null undefined NaN Infinity -0 1e400 -1e400 0x10 １２ 9007199254740993
  99999999999999999999999999 1. .5 +1 1,2 true [] {} % %00 %zz %C3%28 %ED%A0%80 ../../etc/passwd ..
  a/b // ? # eyJpZCI6MX0 * \${jndi:ldap://x} <script>alert(1)</script> W/"x"
`;

/** Texts that break careless programs. */
export const hostileTexts: Texts = [
  "",
  ...[" ", "\u0000", "\ud800", "\udc00\ud800", "\ufeff", "\u2028\u2029"],
  "\u202eevil\u202c",
  "İıſßﬀ",
  "👩‍👩‍👧‍👦".repeat(60),
  `e${"\u0301".repeat(2_000)}`,
  "a".repeat(200),
  "a".repeat(201),
  "x".repeat(100_000),
  '"'.repeat(20_000),
  "\\".repeat(20_000),
  "' OR 1=1 --",
  "#pk = :pk",
  "\r\nset-cookie: a=b",
  `${"a.".repeat(3_000)}@${"a-".repeat(3_000)}`,
  `a@${"a.".repeat(100)}`,
  `${"a".repeat(60)}@${"a.".repeat(90)}`,
  '"x", "y", W/"z"',
  `"${"a".repeat(9_000)}"`,
  ...words.trim().split(/\s+/),
];

/** Those without spaces and escapes. */
const jsonWords = `
  null true 0 -0 1e400 "text" [] {} [[]] { [1, {"a":1,} {"a":1}{"b":2} 'a' NaN
`;

/** JSON texts that parsers and validators find hard; some are no JSON. */
export const hostileJson: Texts = [
  "",
  " ",
  "\ufeff{}",
  '{"title":"a","title":"b"}',
  '{"__proto__":{"admin":true},"title":"a","name":"b"}',
  '{"constructor":{"prototype":{"x":1}}}',
  '{"title":"\\ud800"}',
  '{"title":"\\u0000","name":"\\u0000"}',
  `${"[".repeat(20_000)}${"]".repeat(20_000)}`,
  `${'{"a":'.repeat(20_000)}1${"}".repeat(20_000)}`,
  `${"[".repeat(50_000)}`,
  `{"a":${"[".repeat(480)}${"]".repeat(480)}}`,
  JSON.stringify(Array.from({ length: 20_000 }, () => 1)),
  JSON.stringify(Array.from({ length: 6_000 }, () => ({ product_id: 1, quantity: 1 }))),
  JSON.stringify(Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`field${i}`, i]))),
  JSON.stringify({ filters: Object.fromEntries(Array.from({ length: 2_000 }, (_, i) => [`"${i}`, i])) }),
  `{"n":${"9".repeat(5_000)}}`,
  JSON.stringify({ name: "x".repeat(390_000) }),
  JSON.stringify({ title: "x", content: "y".repeat(410_000) }),
  ...jsonWords.trim().split(/\s+/),
];

const numbers = [0, -1, 1.5, 1e308, 5e-324, 1e21, 2 ** 53, -(2 ** 53)];

/** JSON values of every type. */
export const hostileValues: readonly [unknown, ...unknown[]] = [
  null,
  ...[true, false, ...numbers],
  ...[[], [null], {}, { length: 3 }, { toString: "x" }],
];

/** Values of `Authorization`: tokens that were signed, forged, expired or broken. */
export async function authorizations(admin: string): Promise<Texts> {
  const [secret = ""] = secretValues.SigningSecrets.split(",");
  const now = Math.floor(Date.now() / 1_000);
  const part = (json: unknown) => Buffer.from(JSON.stringify(json)).toString("base64url");
  const signed = (key: string, claims: Record<string, unknown>, alg = "HS256") =>
    new SignJWT(claims).setProtectedHeader({ alg }).sign(new TextEncoder().encode(key));
  const valid = { sub: "admin", exp: now + 86_400 };
  const tokens = [
    admin,
    await signed(secret, valid),
    await signed("a foreign key that is long enough for HS256", valid),
    await signed(secret, { ...valid, exp: now - 60 }),
    await signed(secret, { exp: valid.exp }),
    await signed(secret, { ...valid, sub: "nobody" }),
    await signed(secret, { ...valid, sub: "a".repeat(5_000) }),
    await signed(secret, valid, "HS512"),
    `${part({ alg: "none" })}.${part(valid)}.`,
    `${part({ alg: "HS256", kid: "../../etc/passwd" })}.${part(valid)}.AAAA`,
    `${part({ alg: "HS256", crit: ["exp"] })}.${part(valid)}.AAAA`,
    `${admin.slice(0, -4)}AAAA`,
    `${"a".repeat(4_000)}.${"b".repeat(4_000)}.c`,
    ...["..", "a.b", "\u0000", "ü"],
  ];
  return [
    "Bearer",
    "Bearer  ",
    "Basic YWRtaW46YWRtaW4=",
    `bearer ${admin}`,
    `Bearer ${admin},Bearer ${admin}`,
    ...tokens.map((token) => `Bearer ${token}`),
  ];
}
