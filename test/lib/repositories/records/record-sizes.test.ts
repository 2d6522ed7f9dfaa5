import { DeleteCommand, PutCommand } from "@aws-sdk/lib-dynamodb";
import { describe, expect, it } from "vitest";
import { contentKey } from "../../../../lib/repositories/posts/post-items.ts";
import { PostQueries } from "../../../../lib/repositories/posts/post-queries.ts";
import { PostsRepository } from "../../../../lib/repositories/posts/posts.ts";
import { ProductsRepository } from "../../../../lib/repositories/products.ts";
import { TodosRepository } from "../../../../lib/repositories/todos.ts";
import { UsersRepository } from "../../../../lib/repositories/users.ts";
import { type CartItem, MAX_LINES, MAX_PRODUCTS } from "../../../../lib/validators/order.ts";
import { MAX_CONTENT_LENGTH, MAX_TAGS, PostCreate } from "../../../../lib/validators/post.ts";
import { CreateProductRequest } from "../../../../lib/validators/product.ts";
import { CreateTodoRequest } from "../../../../lib/validators/todo.ts";
import { CreateUserRequest } from "../../../../lib/validators/user.ts";
import { openShop } from "../../../functions/orders/shop.ts";
import { idempotencyContext } from "../../../support/data/idempotency.ts";
import { engines, recordTable, testClient } from "../../../support/database/database.ts";
import { MAX_STORED_BYTES, putSizes } from "../../../support/database/item-size.ts";
import { stackTable } from "../../../support/infra/stack-table.ts";

/** Each character has four bytes. */
const long = (characters: number) => "💡".repeat(characters);
const tags = Array.from({ length: MAX_TAGS }, (_, i) => `${i + 10}${long(48)}`);
const longestPost = PostCreate.parse({ title: long(200), content: long(MAX_CONTENT_LENGTH), tags });
const idempotency = idempotencyContext("k");
const now = () => new Date(0);

type Client = ReturnType<typeof testClient>;

describe.each(engines)("the largest records on $name", ({ endpoint }) => {
  const creations: Readonly<
    Record<string, { largestKb: number; create: (client: Client, table: string) => Promise<unknown> }>
  > = {
    todos: {
      largestKb: 4,
      create: (client, table) =>
        new TodosRepository(client, table).create(
          { ...CreateTodoRequest.parse({ title: long(1_000) }), completed: false },
          idempotency,
        ),
    },
    users: {
      largestKb: 3,
      create: (client, table) =>
        new UsersRepository(client, table).create(
          CreateUserRequest.parse({
            name: long(200),
            email: `${long(319)}@`,
            age: Number.MAX_SAFE_INTEGER,
          }),
          idempotency,
        ),
    },
    products: {
      largestKb: 10,
      create: (client, table) =>
        new ProductsRepository(client, table).create(
          CreateProductRequest.parse({
            name: long(200),
            category: long(100),
            description: long(2_000),
            price: 1e-9,
            stock: 1e12,
          }),
          idempotency,
        ),
    },
    posts: {
      largestKb: 5,
      create: (client, table) =>
        new PostsRepository(client, table, now).create(Number.MIN_SAFE_INTEGER, longestPost, idempotency),
    },
  };

  it.each(Object.entries(creations))(
    "of %s fit, and write little to a partition key of other creations",
    async (_, { largestKb, create }) => {
      const client = testClient(endpoint);
      const sizes = putSizes(client);
      await create(client, await recordTable(endpoint));

      expect(Math.ceil((sizes.get("0") ?? 0) / 1_024)).toBe(largestKb);
      for (const [partition, bytes] of sizes) {
        expect(bytes).toBeLessThan(MAX_STORED_BYTES);
        if (!/^(0|content#1|key#.*)$/.test(partition))
          expect({ partition, isSmall: bytes <= 1_024 }).toEqual({ partition, isSmall: true });
      }
    },
  );

  it("of orders fit, and are in the indexes as well", async () => {
    const shop = await openShop(endpoint);
    const cart: CartItem[] = [];
    for (let i = 0; i < MAX_PRODUCTS; i += 1) {
      const { id } = await shop.offer({ stock: 1_000_000_000_000 });
      cart.push({ product_id: id, quantity: 9_999_999_999 });
    }
    const lines = Array.from({ length: MAX_LINES }, (_, i) => cart[i % cart.length] ?? expect.unreachable());
    const client = testClient(endpoint);
    const sizes = putSizes(client);
    const { record } = await shop
      .placementWith(client)
      .place(Number.MIN_SAFE_INTEGER, lines, idempotencyContext("k"));

    expect(sizes.get("0")).toBeLessThan(12 * 1_024);
    const reserved = [...sizes].filter(([partition]) => partition.startsWith("reserved-"));
    expect(reserved).toHaveLength(1);
    for (const [, bytes] of reserved) expect(bytes).toBeLessThan(5 * 1_024);
    expect(await shop.orders.get(1)).toEqual(record);
    const paid = await shop.orders.changeStatus(1, "paid");
    for (const filters of [{ user_id: Number.MIN_SAFE_INTEGER }, { status: "paid" as const }, {}])
      expect((await shop.orders.list(filters)).records).toEqual([paid]);
  });
});

describe.each(engines)("records of which a backup has kept an older part, on $name", ({ endpoint }) => {
  const client = testClient(endpoint);

  async function tornPost(change: (table: string) => Promise<unknown>) {
    const table = await stackTable(endpoint, "posts");
    const posts = new PostsRepository(client, table, now);
    const fields = { title: "t", content: "a", status: "draft", tags: ["x"] } as const;
    await posts.create(1, { ...fields, tags: ["x"] }, undefined);
    await change(table);
    return { posts, lists: new PostQueries(client, table) };
  }

  it("are posts with the content that is there", async () => {
    const { posts, lists } = await tornPost((TableName) =>
      client.send(
        new PutCommand({ TableName, Item: { ...contentKey(1), version: "older", content: "older" } }),
      ),
    );

    expect(await posts.view(1)).toMatchObject({ content: "older" });
    expect((await lists.listByAuthor(1)).records).toMatchObject([{ content: "older" }]);
    expect(await posts.update(1, { title: "new" })).toMatchObject({ title: "new", content: "older" });
    expect(await posts.update(1, { content: "new" })).toMatchObject({ title: "new", content: "new" });
    expect(await posts.view(1)).toMatchObject({ title: "new", content: "new" });
  });

  it("are damaged posts without content, until they get one or are deleted", async () => {
    const { posts, lists } = await tornPost((TableName) =>
      client.send(new DeleteCommand({ TableName, Key: contentKey(1) })),
    );

    const isDamaged = "The stored record 1 is damaged: content";
    await expect(posts.view(1)).rejects.toThrow(isDamaged);
    expect((await lists.listByAuthor(1)).records).toEqual([]);
    await expect(posts.update(1, { title: "new" })).rejects.toThrow(isDamaged);
    await expect(posts.update(1, { content: "new" }, () => expect.unreachable())).rejects.toThrow(isDamaged);
    expect(await posts.update(1, { content: "new" })).toMatchObject({ content: "new" });
    expect(await posts.view(1)).toMatchObject({ content: "new" });
    expect(await posts.remove(1)).toBe(true);
    expect(await posts.view(1)).toBeUndefined();
  });
});
