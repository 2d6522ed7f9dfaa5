/** A session of the generated axios client with the service whose URL is the argument. */
import { isAxiosError } from "axios";
import * as api from "./index.js";

const basePath = process.argv[2];
let token = "";
const configuration = new api.Configuration({ basePath, accessToken: () => token });
const accounts = new api.AccountsApi(configuration);
const orders = new api.OrdersApi(configuration);
const products = new api.ProductsApi(configuration);
const todos = new api.TodosApi(configuration);
const users = new api.UsersApi(configuration);

function check(step: string, condition: unknown) {
  if (!condition) throw new Error(`failed: ${step}`);
  process.stdout.write(`passed: ${step}\n`);
}

async function failure<T>(
  call: Promise<unknown>,
): Promise<{ status?: number; data?: T; retryAfter: number }> {
  const error: unknown = await call.then(
    () => undefined,
    (error) => error,
  );
  if (!isAxiosError<T>(error)) throw error;
  return {
    status: error.status,
    data: error.response?.data,
    retryAfter: Number(error.response?.headers["retry-after"]),
  };
}

const name = `axios${crypto.randomUUID().replaceAll("-", "")}`;
const account: api.UserCreate = { username: name, email: `${name}@example.com`, password: "Analytical1" };
check("register", (await accounts.registerAccount(account)).data.username === name);
const login: api.LogInRequest = { username: name, password: "Analytical1" };
token = (await accounts.logIn(undefined, undefined, login)).data.access_token;
check("log in", (await accounts.getOwnAccount()).data.username === name);

const page = (await products.listProducts(undefined, undefined, 1, 5)).data as api.ProductPage;
const whole = (await products.listProducts()).data as api.Product[];
const product = page.items[0];
check("catalog", page.total > 0 && product && product.price > 0 && whole[0]?.name);

const person = (await users.createUser({ name, email: "ada@example.com", age: 36 })).data;
const cart: api.CartItem[] = [{ product_id: product?.id ?? 0, quantity: 1 }];
const order = (await orders.placeOrder(cart, person.id, name)).data;
check("order", order.total === product?.price && order.user_id === person.id);
const replay = await orders.placeOrder(cart, person.id, name);
check("replay", replay.data.id === order.id && replay.headers["idempotency-replayed"] === "true");

const titles = [0, 1, 2, 3, 4].map((number) => `${name} ${number}`);
for (const title of titles) await todos.createTodo({ title });
const found: string[] = [];
for (let cursor: string | undefined, isFirst = true; isFirst || cursor; isFirst = false) {
  const part = await todos.listTodos(2, cursor);
  found.push(...part.data.map(({ title }) => title).filter((title) => titles.includes(title)));
  cursor = /cursor=([\w-]+)[^>]*>; rel="next"/.exec(part.headers.link ?? "")?.[1];
}
check("iterate", found.join() === titles.join());
const [listed] = (await users.listUsers(name)).data as api.ListedUser[];
check("users", listed?.id === person.id && listed.name === name && listed.age === 36);
const order2 = [undefined, undefined, undefined, undefined, undefined, undefined, undefined] as const;
const versioned = (await users.listUsers(name, ...order2, "2.0")).data as api.UsersV2;
check("versions", versioned.metadata.total === 1);

const { id } = (await todos.createTodo({ title: name })).data;
check("304", (await failure(todos.getTodo(id, "*"))).status === 304);
check("412", (await failure(todos.deleteTodo(id, '"another"'))).status === 412);
await todos.deleteTodo(id, "*");
check("delete", (await failure(todos.getTodo(id))).status === 404);
const missing = await failure<api.ErrorMessage>(todos.getTodo(999_999_999));
check("404", missing.status === 404 && missing.data?.error);
const taken = await failure<api.Conflict>(accounts.registerAccount(account));
check("409", taken.status === 409 && taken.data?.field === "username");
const weak = await failure<api.ValidationError>(
  accounts.registerAccount({ ...account, password: "no digit in it" }),
);
check("422", weak.status === 422 && weak.data?.details[0]?.field === "body.password");
const wrong = { ...login, password: "wrong" };
for (let attempt = 0; attempt < 5; attempt += 1)
  check("401", (await failure(accounts.logIn(undefined, undefined, wrong))).status === 401);
const limited = await failure(accounts.logIn(undefined, undefined, wrong));
check("429", limited.status === 429 && limited.retryAfter > 0);
