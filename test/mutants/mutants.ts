/** `text` is in the file once. `test` finds the mistake: by default the test file of the same name. */
export type Mutant = readonly [mistake: string, text: string, replacement: string, test?: string];

/** Mutants that another test file finds, unless they name their own. */
const foundBy = (other: string, list: readonly Mutant[]): readonly Mutant[] =>
  list.map(([mistake, text, replacement, test = other]) => [mistake, text, replacement, test]);

const api = (name: string) => `test/api/${name}.test.ts`;
const lib = (name: string) => `test/lib/${name}.test.ts`;
const records = (name: string) => lib(`records/${name}`);
const repositories = (name: string) => lib(`repositories/${name}`);
const idempotency = api("protocol/idempotency");
const faults = repositories("faults");
const transaction = lib("dynamodb/transaction");
const owners = records("owners");
const placement = repositories("orders/placement");
const recordRepository = records("record-repository");
const preconditions = records("preconditions");
const compression = lib("http/compression");
const functions = (name: string) => `test/functions/${name}.test.ts`;

export const mutants: Readonly<Record<string, readonly Mutant[]>> = {
  "infra/build/run-esbuild.ts": foundBy("test/infra/build/bundle.test.ts", [
    ["a module that the SDK has moved is bundled again", "= unusedReplacements(small)", ": string[] = []"],
  ]),
  "lib/auth/api-keys.ts": [
    ["only the first key counts", ".indexOf(true)", ".slice(0, 1).indexOf(true)", api("api-key")],
    ["a new key needs a restart", 'keys("fresh")', "keys()", functions("api-key/routes")],
  ],
  "lib/auth/authorizers.ts": [
    ["everybody is an administrator", "!includesRole(account.role, role)", "!account.role", api("products")],
    ["the scheme's case counts", "$/i.exec(", "$/.exec("],
    ["an invalid token counts as an administrator's", "return false", "return true"],
  ],
  "lib/auth/passwords.ts": [
    ["another algorithm", 'promisify(argon2)("argon2id"', 'promisify(argon2)("argon2i"'],
    ["an impossible password is an empty one", "tag) && isPossible", "tag)"],
    ["a new number of passes is ignored", " || passes !== now.passes", ""],
    ["Unicode forms differ", 'from(password.normalize("NFKC"))', "from(password)"],
  ],
  "lib/auth/cached.ts": foundBy(lib("auth/secrets"), [
    ["secrets are cached forever", "Math.abs(now() - readAt) >= rereadAfterMs", "readAt < 0"],
    [
      "an outage forgets the values",
      "if (value !== undefined && error instanceof ApiError) return value;",
      "",
    ],
    ["a wrong key reads the secret each time", "- triedAt) < minIntervalMs", "- triedAt) < 0"],
  ]),
  "lib/auth/identity-provider.ts": [
    ["tokens for any audience count", "!audiences.includes(audience)", "false"],
    ["any algorithm verifies", "algorithms: [...algorithms],", ""],
    ["a token may last forever", '"exp", ', ""],
    ["a new key needs a restart", 'verify(token, "fresh")', "verify(token)"],
    ["another provider's document counts", "issuer !== url || ", ""],
  ],
  "lib/auth/tokens.ts": [
    ["another algorithm signs", 'const ALGORITHM = "HS256"', 'const ALGORITHM = "HS512"'],
    ["any algorithm verifies", "algorithms: [ALGORITHM],", ""],
    ["a token may last forever", 'requiredClaims: ["exp"],', ""],
    ["only the first secret verifies", "continue", "break"],
    ["tokens last an hour", "30 * 60_000", "60 * 60_000"],
  ],
  "lib/aws.ts": [
    ["a thawed function uses dead connections", "Date.now() - MAX_IDLE_MS", "0"],
    ["each attempt uses another dead connection", "this.#closeIdleSince(reusedAt)", "undefined"],
  ],
  "functions/items/json-text.ts": [
    ["a member replaces no other", "nameOf(member) !== name", "member !== name"],
  ],
  "lib/domain/login-throttle.ts": [
    ["delays do not grow", "2 ** (failures - freeFailures)", "1", repositories("accounts/login-throttle")],
    ["each IPv6 address is another client", ".slice(0, 4)", ".slice(0, 8)"],
  ],
  "lib/domain/orders.ts": [
    ["lines of a product are checked one by one", "(deductions.get(product_id)?.quantity ?? 0) + ", ""],
    ["the last piece is not sold", "ordered > product.stock", "ordered >= product.stock", api("orders")],
    ["totals are binary", "new Big(product.price).times(quantity)", "product.price * quantity"],
    ["a delivered order can be cancelled", 'to === "cancelled"', 'to === "pending"', api("orders")],
  ],
  "lib/domain/read-budget.ts": [
    ["a part may read more than is left", "Math.min(this.#bytes, MAX_BYTES_OF_PART", "(MAX_BYTES_OF_PART"],
  ],
  "lib/domain/text.ts": [
    ["UTF-16 units sort texts", "codePointAt(i)) - Number(b.codePoint", "charCodeAt(i)) - Number(b.charCode"],
    ["a final sigma is another letter", '.replaceAll("ς", "σ")', ""],
  ],
  "lib/http/request.ts": [
    ["invalid UTF-8 is replaced", "!isUtf8(bytes)", "!bytes", lib("http/body")],
    ["large parameters are parsed", "10_240", "10_240_000", lib("http/body")],
  ],
  "lib/http/response.ts": [
    ["a repeated creation looks new", '"idempotency-replayed": "true"', "", idempotency],
    ["all codings have one tag", "own.etag &&", "false as true &&", api("protocol/compression")],
    ["a refused coding is used", "weightOf(name) > 0 && ", "", compression],
    ["small responses are compressed", "COMPRESSED_BYTES = 1_024", "COMPRESSED_BYTES = 1", compression],
    ["what compression makes longer is compressed", ">= bytes.length", "< 0", compression],
  ],
  "lib/http/errors.ts": [
    ["a 405 does not say what is allowed", "{ allow: [...methods", "{ allowed: [...methods", api("system")],
  ],
  "lib/http/etag.ts": [
    ["If-Match accepts weak tags", "!isWeak", "true"],
    ["If-None-Match does not protect a write", " || includesWeakly(ifNoneMatch, current)", ""],
    ["an error becomes a 304", " || result.statusCode !== 200", ""],
  ],
  "lib/http/handler.ts": [
    ["private responses may be stored", '{ "cache-control": "no-store" }', "{}"],
    ["too large responses are sent", "isTooLarge(result)", "isTooLarge({})"],
  ],
  "lib/http/idempotency.ts": [
    ["the query does not distinguish requests", "path, query, caller", "path, caller"],
    ["the caller does not distinguish requests", ", caller ?? null]", "]"],
    ["passwords distinguish requests", "secretFields.includes(name) ? undefined : value", "value"],
    ["keys may have 256 characters", "z.maxLength(255)", "z.maxLength(256)", idempotency],
  ],
  "lib/http/pagination.ts": [
    ["a list that fits is cut", "firstBeyond < 0 ? records.length : firstBeyond", "firstBeyond"],
    ["a cut list ends", "isCut ? continuation.positionOf(last, records.length) : part.next", "part.next"],
    ["the last page links to the next", ": page < last;", ": page <= last;"],
    ["a cut page starts at another record", "offset % size !== 0", "offset < 0"],
    ["a cut page is the last one", "size < records.length || position.hasMore", "position.hasMore"],
  ],
  "lib/http/router.ts": [
    ["the declared order decides", ".sort(([a], [b]) => precedence(a) - precedence(b))", ""],
    ["placeholders beat static segments", '? "1" : "0"', '? "0" : "1"'],
    ["placeholders match nothing", "[^/]+", "[^/]*"],
  ],
  "lib/http/validation.ts": [
    ["only one error is reported", "slice(0, Math.max(0,", "slice(0, Math.min(1,", api("accounts")],
    ["undeclared parameters come back in links", "!Object.hasOwn(schema.shape, name)", "!schema.shape"],
  ],
  "lib/log/error-fields.ts": [["a circle of causes has no end", " && causes > 0", ""]],
  "lib/repositories/accounts/accounts.ts": [
    ["usernames in another case are free", "reservation ? [{ field", "false ? [{ field"],
    ["e-mails are not unique", '{ field: "email", account, item: { ...emailKey(email), username } },', ""],
    ["a changed password is overwritten", "unchanged({ passwordHash, token", "unchanged({ token"],
    ["an e-mail can be taken over", "OR username =", "OR username <> :username OR username ="],
    ["duplicates in a batch are stored", "if (seen.has(key))", "if (seen.size < 0)"],
  ],
  "lib/repositories/accounts/login-throttle.ts": [
    ["concurrent guesses all pass", ', "failures = :seen"', ""],
    ["a lost response counts twice", ' <> :attempt"', ' <> :attempt OR attribute_exists(pk)"', faults],
    ["a success keeps the failures", '":none": 0', '":none": 5'],
    ["a late login forgets later failures", '"attemptId =', '"attribute_exists(pk) OR attemptId =', faults],
  ],
  "lib/dynamodb/batch.ts": [
    ["unprocessed keys are lost", "if (Item) items.push(Item);", ""],
    ["batches are eventually consistent", "{ isConsistent = true,", "{ isConsistent = false,"],
  ],
  "lib/dynamodb/client.ts": [
    [
      "each attempt is another transaction",
      "{ ClientRequestToken: crypto.randomUUID(),",
      "{ get ClientRequestToken() { return crypto.randomUUID(); },",
    ],
    ["conflicts are not retried", "!isConflict(error) || attempt", "isConflict(error) || attempt"],
    ["failed conditions are retried", "reasons.every((", "reasons.some(("],
    ["a creation whose read failed loses its id", "if (isWrite && ", "if (", recordRepository],
    ["a refused attempt counts as one that may still arrive", "!isRefusal(error)", "error", transaction],
    ["the SDK copies every response for a log", '"loggerMiddleware"', '"loggingMiddleware"'],
  ],
  "lib/dynamodb/decode.ts": [
    [
      "a damaged record fails a list",
      "instanceof DamagedRecord",
      "instanceof Array",
      functions("damaged-records"),
    ],
  ],
  "lib/dynamodb/expressions.ts": [
    ["OR escapes from its condition", "}) => `(", '}) => [ConditionExpression, ""][0] ?? `('],
    ["an absent attribute may have appeared", "? `attribute", "? `attribute_exists(pk) OR attribute"],
  ],
  "lib/dynamodb/query.ts": [
    ["reads are eventually consistent", "ConsistentRead: true", "ConsistentRead: false", recordRepository],
    ["queries are eventually consistent", "Read = true", "Read = false", recordRepository],
    ["only the first megabyte is read", "while (Excl", "while (Limit && Excl", records("range-reader")],
  ],
  "lib/dynamodb/writes.ts": foundBy(transaction, [
    ["an unanswered transaction stays open", "if (isUncertain(error)) {", "if (error === 0) {"],
    ["a committed transaction is reported as failed", "true;\n    throw mark", "false;\n    throw mark"],
    ["one that failed for certain is open", "error as Error, false)", "error as Error)"],
    ["one whose end is unknown has failed for certain", "markUncertain(error as Error);", "error;"],
    ["settling has another token", "ClientRequestToken, TransactItems }", "TransactItems }"],
    ["each settling has another transaction", "client, ClientRequestToken", 'client, "other"', faults],
  ]),
  "lib/repositories/orders/orders.ts": [
    ["times go backwards", "timeOfChange(order.updated_at, this.#now())", "this.#now().toISOString()"],
  ],
  "lib/repositories/orders/placement.ts": foundBy(repositories("orders/completion"), [
    ["orders oversell", "stock >= :quantity AND price =", "price =", placement],
    ["orders mix prices", ":quantity AND price = :price", ":quantity", placement],
    ["an order is created twice", "Key: { pk, sk }, ...itemExists }", "Key: { pk, sk } }"],
    ["an order stays pending", "pending: deletion, entry: put", "pending: [], entry: put", faults],
    ["an order that others have completed is tried again", "if (isCompleted) throw", "if (!id) throw"],
    ["a completed order leaves its key pending", "entry: put }", "entry: undefined }"],
    ["an order takes over the key of another request", "result }, ...isOurs }", "result } }"],
    ["a repeated request orders again", "if (placed) return", "if (!placed) return"],
    ["an order that others complete gets no owner", "{ others, owner })", "{ others })"],
    ["nobody completes the orders of dead processes", "this.#completedAt = now;", "return;"],
    ["orders in progress count as abandoned", ">= abandonedAfterMs", ">= 0"],
    ["a request waits for all abandoned orders", "limit: MAX_COMPLETED", "limit: 1e9"],
    [
      "a request that has ended waits for abandoned orders",
      "this.#completeOthers();",
      "{ then: (end) => void this.#completeOthers().then(end) };",
    ],
    ["a deleted product's order is denied", '!== "ServiceUnavailable"', '=== "InvalidArgument"', placement],
  ]),
  "lib/repositories/posts/post-queries.ts": [
    ["a tag's list continues at other posts", 'order === "asc" ? [(cursor', "order ? [(cursor"],
    ["views do not sort", "post[sort_by] ?? 0", "0", api("posts")],
    ["posts are in ascending order", ': order === "asc"', ": true", api("posts")],
  ],
  "lib/repositories/posts/post-reader.ts": [
    [
      "two versions of a post are mixed",
      "content?.version === summary.version",
      "content",
      repositories("posts/posts"),
    ],
    [
      "contents are read at twice the price",
      "isConsistent: false",
      "isConsistent: true",
      repositories("posts/post-queries"),
    ],
  ],
  "lib/repositories/posts/posts.ts": [
    ["posts change backwards in time", "newRevision(Date.parse(time))", "newRevision(0)"],
    ["a new content keeps its old version", "{ version: crypto.randomUUID() }),", "{}),"],
    ["a removed post's id is not marked", "id: this.#reader.ids.tombstone(id),", ""],
    ["a removed post keeps its tags", "(id, found.tags, [])", "(id, [], [])"],
    ["a removed post leaves its content behind", "Key: contentKey(id) } }", "Key: contentKey(-id) } }"],
    ["concurrent edits are lost", "unchanged({ revision, owner })", "unchanged({ owner })"],
    ["a lost response counts two views", '"viewId <> :viewId"', '"attribute_exists(pk)"', faults],
  ],
  "lib/records/id-allocation.ts": [
    ["ids below the floor are released", "OR #floor < :id)", "OR #floor <> :one)", records("id-repair")],
    ["a deletion is not counted", '"n", 1)', '"n", 0)', recordRepository],
    ["times go backwards", " AND NOT (allocatedAt > :time)", ""],
    ["a repeated allocation allocates again", "(allocation = :allocation)", "(allocation = :one)", faults],
    ["a repeated allocation is not recognized", "item.allocation === allocation)", "!item)", faults],
    ["an id that others followed is released", '"allocation = :allocation', '"attribute_exists(allocation)'],
    ["an id that a late attempt has allocated is released", "#last = :id AND ", ""],
    ["a release that may have been made marks the id", "isDone || isUncertain", "isDone"],
  ],
  "lib/records/id-blocks.ts": [
    ["the bitmap is shifted by one", "offset = (id - 1) % BLOCK_SIZE", "offset = id % BLOCK_SIZE"],
    ["a block's last id is in the next block", "Math.floor((id - 1) /", "Math.floor(id /"],
    ["a word holds a bit too many", "WORD_SIZE = 125", "WORD_SIZE = 127"],
    ["a page ends one record early", "skip + take)", "skip + take - 1)"],
  ],
  "lib/records/idempotency.ts": [
    ["keys are remembered for an hour", "24 * 60 * 60", "60 * 60"],
    ["a key may be used for another request", "!== idempotency.requestHash", "=== undefined", idempotency],
    ["concurrent requests with a key both create", "expires_at <=", "expires_at <>", idempotency],
    [
      "keys are stored",
      'hash("sha256", scope === undefined ? key : JSON.stringify([scope, key]), "base64url")',
      "key",
    ],
  ],
  "lib/records/range-reader.ts": [
    ["a descending page is an ascending one", ": parts.flat().reverse()", ": parts.flat()", recordRepository],
    ["a list has a gap after a range that was partly read", "parts.slice(0, partial + 1)", "parts"],
  ],
  "lib/records/record-repository.ts": [
    ["an existing record is overwritten", "Item: item, ...itemIsAbsent }", "Item: item }"],
    ["a late attempt undoes a later change", "revision < :revision", "revision <> :revision", faults],
    ["a replaced change is made again", "if (isUncertain) throw tooManyConflicts();", ""],
    ["a later change is overwritten", "(after, isSameVersion(before)", "(after, itemExists", preconditions],
    ["a record that changed since the check is deleted", "? isSameVersion(item) :", "&&", preconditions],
    ["a version without a revision has any", "revision: undefined, ...item", "...item", preconditions],
    ["an id that may be in use is released", "if (!isUncertain(error)) ", ""],
    ["the id of a failed creation is lost", "(!isUncertain(error)) await", "(isUncertain(error)) await"],
    ["a request that lost to a twin keeps its id", 'outcome === "key")', "!outcome)", records("idempotency")],
    ["others are not told what was refused", "others?.(id, refused", "others?.(id, new Set()"],
    ["a change is made without what belongs to it", "write, ...more", "write", preconditions],
    ["a deletion leaves its id", "id: this.ids.tombstone(id),", ""],
    ["a deletion leaves the entry of its owner", 'item.owner }, "Delete")', '"" }, "Delete")', owners],
  ],
  "lib/records/owners.ts": [
    ["a change in between is overwritten", "unchanged({ owner: before.owner, revision })", "itemExists"],
    ["the last owner still has the record", 'ownerEntry(TableName, before, "Delete")', "[]"],
    ["the new owner does not find the record", 'ownerEntry(TableName, { sk: id, owner }, "Put")', "[]"],
  ],
  "lib/records/revision.ts": foundBy(recordRepository, [
    ["a change is older than the one before", "Math.max(now, revisionTime(after) + 1)", "now"],
  ]),
  "lib/records/record-repair.ts": foundBy(functions("posts/record-repair"), [
    ["entries of others stay", "withEntry.has(id) !== found.has(id)", "!found.has(id)"],
    ["a changed post gets an entry", "{ record, entry }", "{ record: undefined, entry }"],
  ]),
  "lib/records/id-repair.ts": [
    ["a wrong number is not reported", "if (isCurrent) return true;", "if (isCurrent) return false;"],
    ["the repair does not wait for creations", "await wait(CREATIONS_END_AFTER_MS)", "await wait(0)"],
    ["a late repair counts again", "unchanged({ n, repairToken })", "unchanged({ n })"],
    ["the repair overwrites a deletion", "unchanged({ repairToken, ...seen })", "unchanged({ repairToken })"],
    ["the repair of the day skips a block", "(block + 1) * BLOCK_SIZE", "(block + 2) * BLOCK_SIZE"],
  ],
  "lib/validators/account.ts": foundBy(api("accounts"), [
    ["usernames have hyphens", "[a-zA-Z0-9_]+$/", "[a-zA-Z0-9_-]+$/"],
    ["ages end at 149", "nullish(integer({ min: 0, max: 150", "nullish(integer({ min: 0, max: 149"],
  ]),
  "lib/validators/cursor.ts": [
    ["any text is a cursor", "isCanonical ? parse(text)", "text ? parse(text)", api("protocol/cursors")],
  ],
  "lib/validators/parameter.ts": [
    ["the first value counts", "value.at(-1)", "value.at(0)"],
    ["integers may have exponents", "/^-?\\d+$/", "/^-?\\d+(e\\d+)?$/"],
  ],
  "lib/validators/text.ts": [
    ["lengths count UTF-16 units", " && countCodePoints(value) > max", "", api("posts")],
    ["lone surrogates are stored", "!value.isWellFormed()", "value.length < 0", api("todos")],
  ],
  "lib/validators/product.ts": [["products are free", "z.gte(1e-9)", "z.gte(0)", api("products")]],
  "ops/backup/export-tables.ts": foundBy(functions("orders/backup"), [
    ["a pending order is exported twice", "!pending.includes(String(pk?.S)) && ", ""],
  ]),
};
