import type { ClientRequest, ClientResponse } from "../cli/http-client.ts";
import type { Kind, Random, Records } from "./records.ts";

/** One kind of request of the mix. */
export interface Operation {
  /** The route's key, as the report names it. */
  readonly route: string;
  /** How often it is chosen, compared with the others' weights. */
  readonly weight: number;
  /** The status that it answers when all is well. */
  readonly status: number;
  /** @returns a request, or undefined while there is no record that it could be about */
  request(): ClientRequest | undefined;
  /** Hears of an answer with the status above. */
  onAnswer?(response: ClientResponse): void;
}

const text = "The quick brown fox jumps over the lazy dog. ".repeat(20);
const json = { "content-type": "application/json" };

/**
 * What clients of such a service do, as far as one can guess: three reads in four, mostly single records and
 * first pages; some writes, orders among them. Full lists are left out: what they cost depends on how much the
 * service has stored before.
 *
 * @param records what the requests are about; new ones are entered
 * @param name stands in everything that is created
 * @param withOrders whether orders may be placed
 */
export function mix(records: Records, random: Random, name: string, withOrders: boolean): Operation[] {
  let todos = 0;
  const any = (kind: Kind) => () => records.any(kind);
  const entered = (kind: Kind) => ({
    onAnswer: ({ headers }: ClientResponse) => records.add(kind, headers.location),
  });
  const enteredTodo = {
    onAnswer: ({ headers }: ClientResponse) => {
      todos += 1;
      records.add(todos % 3 === 0 ? "doomed" : "todos", headers.location);
    },
  };
  const statusChange = () => {
    const order = records.any("orders");
    return order && `${order}/status?status=${random() < 0.5 ? "paid" : "shipped"}`;
  };
  const cart = () => [{ product_id: Number(records.any("products")?.split("/").at(-1)), quantity: 1 }];
  const post = () => ({ title: name, content: text, tags: ["load"] });
  const orders = [
    operation("POST /orders", 5, 201, () => "/orders?user_id=-2", cart, entered("orders")),
    operation("GET /orders/{order_id}", 3, 200, any("orders")),
    operation("PATCH /orders/{order_id}/status", 2, 200, statusChange),
  ];
  return [
    operation("GET /todos/{id}", 14, 200, any("todos")),
    operation("GET /users/{id}", 6, 200, any("users")),
    operation("GET /users", 4, 200, () => "/users?page=1&limit=10"),
    operation("GET /products/{product_id}", 12, 200, any("products")),
    operation("GET /products", 10, 200, () => "/products?page=1&size=10"),
    operation("GET /posts/{post_id}", 10, 200, any("posts")),
    operation("GET /posts", 8, 200, () => "/posts?page=1&limit=10"),
    operation("GET /items/{item_id}", 5, 200, any("items")),
    operation("GET /items", 2, 200, () => "/items?page=1&size=10"),
    operation(
      "POST /todos",
      6,
      201,
      () => "/todos",
      () => ({ title: name }),
      enteredTodo,
    ),
    operation("PUT /todos/{id}", 5, 200, any("todos"), () => ({ completed: random() < 0.5 })),
    operation("DELETE /todos/{id}", 2, 204, () => records.take("doomed")),
    operation("POST /posts", 2, 201, () => "/posts", post, entered("posts")),
    operation("PATCH /posts/{post_id}", 2, 200, any("posts"), () => ({ status: "published" })),
    operation(
      "POST /items/",
      2,
      201,
      () => "/items/",
      () => ({ name, text }),
      entered("items"),
    ),
    ...(withOrders ? orders : []),
  ];
}

function operation(
  route: string,
  weight: number,
  status: number,
  target: () => string | undefined,
  body?: () => unknown,
  more: Pick<Operation, "onAnswer"> = {},
): Operation {
  const [method = ""] = route.split(" ");
  return {
    route,
    weight,
    status,
    request() {
      const to = target();
      if (to === undefined) return undefined;
      return { method, target: to, ...(body && { headers: json, body: JSON.stringify(body()) }) };
    },
    ...more,
  };
}

/**
 * Chooses operations by their weights.
 *
 * @returns a function that gives an operation and a request of it; what has nothing to be about is passed over
 */
export function chooser(operations: readonly Operation[], random: Random) {
  const total = operations.reduce((sum, { weight }) => sum + weight, 0);
  return (): { operation: Operation; request: ClientRequest } => {
    for (;;) {
      let rest = random() * total;
      const operation = operations.find(({ weight }) => {
        rest -= weight;
        return rest < 0;
      });
      const request = operation?.request();
      if (operation && request) return { operation, request };
    }
  };
}
