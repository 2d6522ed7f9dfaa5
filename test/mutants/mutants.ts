/** A mistake that the quick tests have to find. */
export type Mutant = readonly [
  /** What the mistake is. */
  mistake: string,
  /** A text that the file contains once. */
  text: string,
  /** What replaces it. */
  replacement: string,
  /** The test file that finds it. */
  test: string,
];

const api = (name: string) => `test/api/${name}.test.ts`;
const lib = (name: string) => `test/lib/${name}.test.ts`;
const functions = (name: string) => `test/functions/${name}.test.ts`;

/** Mistakes by the file that they are made in. */
export const mutants: Readonly<Record<string, readonly Mutant[]>> = {
  "infra/build/run-esbuild.ts": [
    [
      "a module that the SDK has moved is bundled again",
      "const unused = unusedReplacements(metafile);",
      "const unused: string[] = [];",
      "test/infra/build/bundle.test.ts",
    ],
  ],
  "lib/auth/api-keys.ts": [
    ["only the first key counts", ".includes(true)", "[0] === true", api("api-key")],
    [
      "a new key needs a restart",
      ' || includesKey(await keys("fresh"), key)',
      "",
      functions("api-key/routes"),
    ],
  ],
  "lib/auth/authorizers.ts": [
    [
      "everybody is an administrator",
      "account.role !== ADMIN_ROLE",
      "account.role === undefined",
      api("products"),
    ],
    ["the scheme's case counts", "$/i.exec(", "$/.exec(", lib("auth/authorizers")],
  ],
  "lib/auth/passwords.ts": [
    [
      "another algorithm",
      'this.#derive("argon2id", { ...parameters',
      'this.#derive("argon2i" as "argon2id", { ...parameters',
      lib("auth/passwords"),
    ],
    [
      "an impossible password is an empty one",
      "timingSafeEqual(actual, tag) && isPossible",
      "timingSafeEqual(actual, tag)",
      lib("auth/passwords"),
    ],
    ["a new number of passes is ignored", " || passes !== now.passes", "", lib("auth/passwords")],
    ["Unicode forms differ", 'password.normalize("NFKC")', "password", lib("auth/passwords")],
  ],
  "lib/auth/secrets.ts": [
    ["secrets are cached forever", "now() - readAt >= REREAD_AFTER_MS", "readAt < 0", lib("auth/secrets")],
    ["an outage forgets the values", "if (values) return values;\n      throw", "throw", lib("auth/secrets")],
    [
      "a wrong key reads the secret each time",
      "now() - triedAt < MIN_REREAD_INTERVAL_MS",
      "now() < triedAt",
      lib("auth/secrets"),
    ],
  ],
  "lib/auth/tokens.ts": [
    ["another algorithm signs", 'const ALGORITHM = "HS256"', 'const ALGORITHM = "HS512"', lib("auth/tokens")],
    ["any algorithm verifies", "algorithms: [ALGORITHM],", "", lib("auth/tokens")],
    ["a token may last forever", 'requiredClaims: ["exp"],', "", lib("auth/tokens")],
    [
      "only the first secret verifies",
      "JWSSignatureVerificationFailed) continue",
      "JWSSignatureVerificationFailed) break",
      lib("auth/tokens"),
    ],
    ["tokens last an hour", "30 * 60_000", "60 * 60_000", lib("auth/tokens")],
  ],
  "lib/domain/cart.ts": [
    [
      "lines of a product are checked one by one",
      "(deductions.get(product_id)?.quantity ?? 0) + quantity",
      "quantity",
      lib("domain/cart"),
    ],
    ["the last piece is not sold", "ordered > stock", "ordered >= stock", lib("domain/cart")],
    [
      "totals are binary",
      "total.plus(new Big(price).times(quantity))",
      "new Big(total.toNumber() + price * quantity)",
      lib("domain/cart"),
    ],
  ],
  "lib/domain/json-text.ts": [
    ["a member replaces no other", "nameOf(member) !== name", "member !== name", lib("domain/json-text")],
  ],
  "lib/domain/login-throttle.ts": [
    ["delays do not grow", "2 ** (failures - freeFailures)", "1", lib("domain/login-throttle")],
    ["each IPv6 address is another client", ".slice(0, 4)", ".slice(0, 8)", lib("domain/login-throttle")],
  ],
  "lib/domain/order-status.ts": [
    [
      "a delivered order can be cancelled",
      'to === "cancelled"',
      'to === "pending"',
      lib("domain/order-status"),
    ],
  ],
  "lib/domain/text.ts": [
    [
      "texts sort by UTF-16 unit",
      "codePointAt(i)) - Number(b.codePointAt(i))",
      "charCodeAt(i)) - Number(b.charCodeAt(i))",
      lib("domain/text"),
    ],
    ["a final sigma is another letter", '.replaceAll("ς", "σ")', "", lib("domain/text")],
  ],
  "lib/http/request.ts": [
    ["invalid UTF-8 is replaced", "fatal: true", "fatal: false", lib("http/body")],
    ["large parameters are parsed", "10_240", "10_240_000", lib("http/body")],
  ],
  "lib/http/response.ts": [
    ["a repeated creation looks new", '"idempotency-replayed": "true"', "", api("protocol/idempotency")],
    [
      "all codings have one tag",
      "const etag = own.etag &&",
      "const etag = false as true &&",
      lib("http/compression"),
    ],
    ["a refused coding is used", "weightOf(name) > 0 && ", "", lib("http/compression")],
    [
      "small responses are compressed",
      "MIN_COMPRESSED_BYTES = 1_024;",
      "MIN_COMPRESSED_BYTES = 1;",
      lib("http/compression"),
    ],
  ],
  "lib/http/errors.ts": [
    [
      "a 405 does not say what is allowed",
      "{ allow: allowedMethods.join",
      "{ allowed: allowedMethods.join",
      api("users"),
    ],
  ],
  "lib/http/etag.ts": [
    ["If-Match accepts weak tags", "!isWeak && ", "", lib("http/etag")],
    [
      "If-None-Match does not protect a write",
      " || includesWeakly(ifNoneMatch, current)",
      "",
      lib("http/etag"),
    ],
    ["an error becomes a 304", " || result.statusCode !== 200", "", lib("http/etag")],
  ],
  "lib/http/handler.ts": [
    ["private responses may be stored", '{ "cache-control": "no-store" }', "{}", lib("http/handler")],
    ["too large responses are sent", "isTooLarge(result)", "isTooLarge({})", lib("http/handler")],
  ],
  "lib/http/idempotency.ts": [
    [
      "the query does not distinguish requests",
      "toParameterLists(request.target.query), ",
      "",
      lib("http/idempotency"),
    ],
    ["the caller does not distinguish requests", ", caller ?? null]", "]", lib("http/idempotency")],
    [
      "passwords distinguish requests",
      "secretFields.includes(name) ? undefined : value",
      "value",
      lib("http/idempotency"),
    ],
    ["keys may have 256 characters", "z.maxLength(255)", "z.maxLength(256)", api("protocol/idempotency")],
  ],
  "lib/http/pagination.ts": [
    [
      "a cut list ends",
      "isCut ? positionOf(last, records.length) : part.next",
      "part.next",
      lib("http/pagination"),
    ],
    ["the last page links to the next", ": page < last) ?", ": page <= last) ?", lib("http/pagination")],
    ["a cut page starts at another record", "offset % size !== 0", "offset < 0", lib("http/pagination")],
  ],
  "lib/http/router.ts": [
    ["placeholders beat static segments", '? "1" : "0"', '? "0" : "1"', lib("http/router")],
    ["placeholders match nothing", 'segments[i] !== ""', "i >= 0", lib("http/router")],
  ],
  "lib/http/validation.ts": [
    [
      "only one error is reported",
      "slice(0, MAX_FIELD_ERRORS - errors.length)",
      "slice(0, 1)",
      api("accounts"),
    ],
    [
      "undeclared parameters come back in links",
      "filter(([name]) => Object.hasOwn(declared, name))",
      "filter(() => declared)",
      lib("http/validation"),
    ],
  ],
  "lib/repositories/accounts/accounts.ts": [
    [
      "e-mails are not unique",
      "this.#put({ ...emailKey(account.email), username: account.username }),",
      "",
      lib("repositories/accounts/accounts"),
    ],
    [
      "a changed password is overwritten by its rehash",
      "unchanged({ passwordHash: from })",
      "unchanged({ username })",
      lib("repositories/accounts/accounts"),
    ],
    [
      "an e-mail can be taken over",
      '"attribute_not_exists(pk) OR username = :username"',
      '"attribute_not_exists(pk) OR username <> :username OR username = :username"',
      lib("repositories/accounts/accounts"),
    ],
    [
      "duplicates in a batch are stored",
      "if (seen.has(key))",
      "if (seen.size < 0)",
      lib("repositories/accounts/accounts"),
    ],
  ],
  "lib/repositories/accounts/login-throttle.ts": [
    ["concurrent guesses all pass", ', "failures = :seen"', "", lib("repositories/accounts/login-throttle")],
    [
      "a lost response counts twice",
      ' <> :attempt"',
      ' <> :attempt OR attribute_exists(pk)"',
      lib("repositories/accounts/login-throttle"),
    ],
    [
      "a success keeps the failures",
      '{ ":none": 0 }',
      '{ ":none": 5 }',
      lib("repositories/accounts/login-throttle"),
    ],
  ],
  "lib/repositories/dynamodb/batch.ts": [
    ["unprocessed keys are lost", "...single]", "]", lib("repositories/dynamodb/batch")],
    [
      "batches are eventually consistent",
      "ConsistentRead: isConsistent",
      "ConsistentRead: false",
      lib("repositories/dynamodb/batch"),
    ],
  ],
  "lib/repositories/dynamodb/client.ts": [
    [
      "each attempt is another transaction",
      "next({ ...args, input })",
      'next({ ...args, input: { ...input, ...("ClientRequestToken" in input && { ClientRequestToken: crypto.randomUUID() }) } })',
      lib("repositories/dynamodb/client"),
    ],
    [
      "conflicts are not retried",
      "!isConflict(error) || attempt",
      "isConflict(error) || attempt",
      lib("repositories/dynamodb/client"),
    ],
    [
      "failed conditions are retried",
      "codes.every((code)",
      "codes.some((code)",
      lib("repositories/dynamodb/client"),
    ],
    [
      "the SDK copies every response for a log",
      'client.middlewareStack.remove("loggerMiddleware");',
      'client.middlewareStack.remove("loggingMiddleware");',
      lib("repositories/dynamodb/client"),
    ],
  ],
  "lib/repositories/dynamodb/expressions.ts": [
    [
      "OR escapes from its condition",
      ".map(({ ConditionExpression }) => `(",
      '.map(({ ConditionExpression }) => [ConditionExpression, ""][0] ?? `(',
      lib("repositories/dynamodb/expressions"),
    ],
    [
      "an attribute that was absent may have appeared",
      "value === undefined ? `attribute_not_exists(",
      "value === undefined ? `attribute_exists(pk) OR attribute_not_exists(",
      lib("repositories/dynamodb/expressions"),
    ],
  ],
  "lib/repositories/dynamodb/query.ts": [
    [
      "queries are eventually consistent",
      "ConsistentRead = true, ...input",
      "ConsistentRead = false, ...input",
      lib("repositories/records/record-repository"),
    ],
    [
      "only the first megabyte is read",
      "while (ExclusiveStartKey)",
      "while (ExclusiveStartKey && Limit)",
      lib("repositories/records/range-reader"),
    ],
  ],
  "lib/repositories/orders/orders.ts": [
    [
      "concurrent changes of the status both succeed",
      "unchanged({ status: order.status, updated_at: order.updated_at })",
      "unchanged({ user_id: order.user_id })",
      lib("repositories/orders/orders"),
    ],
    [
      "times go backwards",
      "Math.max(this.#now().getTime(), Date.parse(order.updated_at))",
      "this.#now().getTime()",
      lib("repositories/orders/orders"),
    ],
  ],
  "lib/repositories/orders/placement.ts": [
    [
      "abandoned reservations keep their stock",
      'checked.reason === "insufficient-stock" && (await this.#cleanUp())',
      "false",
      lib("repositories/orders/placement"),
    ],
    [
      "a failed order keeps its stock",
      "await this.#reservations.release(reservation);\n        const",
      "const",
      lib("repositories/orders/placement"),
    ],
  ],
  "lib/repositories/orders/reservations.ts": [
    [
      "orders oversell",
      "stock >= :quantity AND price = :price",
      "price = :price",
      lib("repositories/orders/placement"),
    ],
    [
      "orders mix prices",
      "stock >= :quantity AND price = :price",
      "stock >= :quantity",
      lib("repositories/orders/placement"),
    ],
    [
      "a released reservation becomes an order, and stock is returned twice",
      "Key: { pk, sk }, ...itemExists } }",
      "Key: { pk, sk } } }",
      lib("repositories/orders/placement"),
    ],
    [
      "orders in progress are abandoned",
      "reserved_at < :before",
      "reserved_at <> :before",
      lib("repositories/orders/placement"),
    ],
  ],
  "lib/repositories/posts/post-queries.ts": [
    ["views do not sort", "post[sort_by] ?? 0", "0", api("posts")],
    [
      "posts are in ascending order",
      'ScanIndexForward: order === "asc"',
      "ScanIndexForward: true",
      api("posts"),
    ],
  ],
  "lib/repositories/posts/post-reader.ts": [
    [
      "two versions of a post are mixed",
      "stored?.version === summary.version",
      "stored !== undefined",
      lib("repositories/posts/posts"),
    ],
    [
      "contents are read at twice the price",
      "isConsistent: false, budget",
      "isConsistent: true, budget",
      lib("repositories/posts/posts"),
    ],
  ],
  "lib/repositories/posts/posts.ts": [
    [
      "posts change backwards in time",
      '"updated_at <= :time"',
      '"attribute_exists(pk) OR updated_at <= :time"',
      lib("repositories/posts/posts"),
    ],
    [
      "a new content keeps its old version",
      "...(content !== undefined && { version: crypto.randomUUID() }),",
      "",
      lib("repositories/posts/posts"),
    ],
    ["a removed post's id is not marked", "...this.#ids.tombstone(id),", "", lib("repositories/posts/posts")],
    [
      "a removed post keeps its tags",
      "this.#tagChanges(id, summary.tags, [])",
      "this.#tagChanges(id, [], [])",
      lib("repositories/posts/posts"),
    ],
    [
      "a removed post leaves its content behind",
      "{ Delete: { TableName: this.#table, Key: contentKey(id) } },",
      "",
      lib("repositories/posts/posts"),
    ],
    [
      "concurrent edits are lost",
      "unchanged({ title, status, tags, updated_at, version })",
      "unchanged({ status, title })",
      lib("repositories/posts/posts"),
    ],
  ],
  "lib/repositories/posts/view-counter.ts": [
    [
      "a lost response counts two views",
      '"viewId <> :viewId"',
      '"attribute_exists(pk)"',
      lib("repositories/posts/posts"),
    ],
  ],
  "lib/repositories/records/id-allocation.ts": [
    [
      "a lost response allocates two ids",
      "`attribute_not_exists(#entry)${",
      "`attribute_exists(pk) OR attribute_not_exists(pk)${",
      lib("repositories/records/id-allocation"),
    ],
    [
      "ids below the floor are released",
      "#last = :id AND (attribute_not_exists(#floor) OR #floor < :id)",
      "#last = :id AND (attribute_not_exists(#floor) OR #floor < :id OR #floor >= :id)",
      lib("repositories/repair/id-repair"),
    ],
    ["a deletion is not counted", '"n", 1)', '"n", 0)', lib("repositories/records/record-repository")],
    [
      "an id in use is released",
      "TransactItems: [recordIsAbsent, ...end]",
      "TransactItems: end",
      lib("repositories/records/record-repository"),
    ],
    [
      "times go backwards",
      "OR allocatedAt <= :time",
      "OR allocatedAt <> :one OR allocatedAt <= :time",
      lib("repositories/posts/posts"),
    ],
    [
      "the counter grows for ever",
      "this.#obsolete = [entry, ...surplus]",
      "this.#obsolete = []",
      lib("repositories/records/id-allocation"),
    ],
  ],
  "lib/repositories/records/id-blocks.ts": [
    [
      "the bitmap is shifted by one",
      "const offset = (id - 1) % layout.blockSize",
      "const offset = id % layout.blockSize",
      lib("repositories/records/id-blocks"),
    ],
    [
      "a block's last id is in the next block",
      "Math.floor((id - 1) / blockSize)",
      "Math.floor(id / blockSize)",
      lib("repositories/records/id-blocks"),
    ],
    [
      "a word holds a bit too many",
      "WORD_SIZE = 125",
      "WORD_SIZE = 127",
      lib("repositories/records/id-blocks"),
    ],
    [
      "a page ends one record early",
      "to: ids.at(-1) ?? first",
      "to: ids.at(-2) ?? first",
      lib("repositories/records/id-blocks"),
    ],
  ],
  "lib/repositories/records/idempotency.ts": [
    ["keys are remembered for an hour", "24 * 60 * 60", "60 * 60", lib("repositories/records/idempotency")],
    [
      "a key may be used for another request",
      "if (entry.requestHash !== idempotency.requestHash) throw",
      "if (entry.requestHash === undefined) throw",
      lib("repositories/records/idempotency"),
    ],
    [
      "concurrent requests with a key both create",
      '"attribute_not_exists(pk) OR expires_at <= :now"',
      '"attribute_not_exists(pk) OR expires_at <> :now"',
      lib("repositories/records/idempotency"),
    ],
    ["keys are stored", 'hash("sha256", key, "base64url")', "key", lib("repositories/records/idempotency")],
  ],
  "lib/repositories/records/range-reader.ts": [
    [
      "a descending page has the records of an ascending one",
      ": records.reverse()",
      ": records",
      lib("repositories/records/record-repository"),
    ],
    [
      "a list has a gap after a range that was partly read",
      "partial < 0 ? parts : parts.slice(0, partial + 1)",
      "parts",
      lib("repositories/records/range-reader"),
    ],
  ],
  "lib/repositories/records/record-repository.ts": [
    [
      "an existing record is overwritten",
      "Item: item, ...itemIsAbsent }",
      "Item: item }",
      lib("repositories/records/record-repository"),
    ],
    [
      "a deleted record comes back",
      "before === undefined ? itemExists",
      'before === undefined ? { ConditionExpression: "attribute_exists(pk) OR attribute_not_exists(pk)" }',
      lib("repositories/records/record-repository"),
    ],
    [
      "a change since the check is overwritten",
      "updateOf(fields, conditionOf(before))",
      "updateOf(fields, itemExists)",
      lib("repositories/records/preconditions"),
    ],
    [
      "a record that changed since the check is deleted",
      "...this.#keyOf(id), ...conditionOf(before) }",
      "...this.#keyOf(id), ...itemExists }",
      lib("repositories/records/preconditions"),
    ],
    [
      "a deletion leaves its id",
      "...this.#ids.tombstone(id),\n",
      "",
      lib("repositories/records/record-repository"),
    ],
    [
      "reads are eventually consistent",
      "...this.#keyOf(id), ConsistentRead: true",
      "...this.#keyOf(id), ConsistentRead: false",
      lib("repositories/records/record-repository"),
    ],
    [
      "records with other values are sent",
      "where ? withFilter(query, ...where) : query",
      "query",
      lib("repositories/posts/post-queries"),
    ],
    [
      "a record in a transaction is taken for one's own",
      "return isAlone && (await this.#isStored(record))",
      "return this.#isStored(record)",
      lib("repositories/records/record-repository"),
    ],
  ],
  "lib/repositories/repair/id-repair.ts": [
    [
      "the repair does not wait for creations",
      "await wait(CREATIONS_END_AFTER_MS)",
      "await wait(0)",
      lib("repositories/repair/id-repair"),
    ],
    [
      "the repair overwrites a deletion",
      "unchanged({ repairToken, ...seen })",
      "unchanged({ repairToken })",
      lib("repositories/repair/id-repair"),
    ],
    [
      "the repair of the day skips a block",
      "(block + 1) * BLOCK_SIZE",
      "(block + 2) * BLOCK_SIZE",
      lib("repositories/repair/id-repair"),
    ],
  ],
  "lib/validators/account.ts": [
    ["usernames have hyphens", "[a-zA-Z0-9_]+$/", "[a-zA-Z0-9_-]+$/", lib("validators/account")],
    [
      "ages end at 149",
      "age: z.nullish(integer({ min: 0, max: 150 }))",
      "age: z.nullish(integer({ min: 0, max: 149 }))",
      api("accounts"),
    ],
  ],
  "lib/validators/cursor.ts": [
    ["any text is a cursor", "isCanonical ? parse(text)", "text ? parse(text)", api("protocol/cursors")],
  ],
  "lib/validators/parameter.ts": [
    ["the first value counts", "value.at(-1)", "value.at(0)", lib("validators/parameter")],
    ["integers may have exponents", "/^-?\\d+$/", "/^-?\\d+(e\\d+)?$/", lib("validators/parameter")],
  ],
  "lib/validators/text.ts": [
    ["lengths count UTF-16 units", " && countCodePoints(value) > max", "", api("posts")],
    ["lone surrogates are stored", "!value.isWellFormed()", "value.length < 0", api("todos")],
  ],
  "lib/validators/product.ts": [["products are free", "z.gte(1e-9)", "z.gte(0)", api("products")]],
};
