/** A session of the generated fetch client with the service whose URL is the argument. */
import * as api from "./index.js";

let token = "";
const configuration = new api.Configuration({ basePath: process.argv[2], accessToken: () => token });
const accounts = new api.AccountsApi(configuration);
const products = new api.ProductsApi(configuration);
const todos = new api.TodosApi(configuration);

function check(step: string, condition: unknown) {
  if (!condition) throw new Error(`failed: ${step}`);
  process.stdout.write(`passed: ${step}\n`);
}

async function failure(call: Promise<unknown>): Promise<Response> {
  const error: unknown = await call.then(
    () => undefined,
    (error) => error,
  );
  if (!(error instanceof api.ResponseError)) throw error;
  return error.response;
}

const name = `fetch${crypto.randomUUID().replaceAll("-", "")}`;
const account: api.UserCreate = { username: name, email: `${name}@example.com`, password: "Analytical1" };
check("register", (await accounts.registerAccount({ userCreate: account })).username === name);
const logInRequest = { username: name, password: "Analytical1" };
token = (await accounts.logIn({ logInRequest })).accessToken;
check("log in", (await accounts.getOwnAccount()).username === name);
const page = (await products.listProducts({ size: 5 })) as api.ProductPage;
const whole = (await products.listProducts()) as api.Product[];
check("catalog", page.items.length === 5 && Number(whole[0]?.price) > 0);

const titles = [0, 1, 2, 3, 4].map((number) => `${name} ${number}`);
for (const title of titles) await todos.createTodo({ createTodoRequest: { title } });
const found: api.Todo[] = [];
for (let cursor: string | undefined, isFirst = true; isFirst || cursor; isFirst = false) {
  const part = await todos.listTodosRaw({ limit: 2, ...(cursor && { cursor }) });
  found.push(...(await part.value()).filter(({ title }) => titles.includes(title)));
  cursor = /cursor=([\w-]+)[^>]*>; rel="next"/.exec(part.raw.headers.get("link") ?? "")?.[1];
}
check("iterate", found.map(({ title }) => title).join() === titles.join());

const id = found[0]?.id ?? 0;
check("304", (await failure(todos.getTodo({ id, ifNoneMatch: "*" }))).status === 304);
check("412", (await failure(todos.deleteTodo({ id, ifMatch: '"another"' }))).status === 412);
await todos.deleteTodo({ id, ifMatch: "*" });
check("delete", (await failure(todos.getTodo({ id }))).status === 404);
const weak = { ...account, password: "no digit in it" };
const refused = await failure(accounts.registerAccount({ userCreate: weak }));
const { details } = api.ValidationErrorFromJSON(await refused.json());
check("422", refused.status === 422 && details[0]?.field === "body.password");
