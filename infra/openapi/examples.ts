const time = "2026-05-04T09:30:00.000Z";

const todo = { id: 1, title: "Buy milk", completed: false };

const person = { name: "Ada", email: "ada@example.com", age: 36 };
const user = { id: 1, ...person };

const account = { username: "ada", email: "ada@example.com" };
const password = "Analytical1";
const registered = { ...account, age: 36, website: null };

const lamp = {
  name: "Desk lamp",
  description: "A lamp with a clamp, for the edge of a desk",
  price: 34.5,
  stock: 12,
  category: "home",
};
const product = { id: 1, ...lamp };

const line = { product_id: 1, quantity: 2 };
const order = {
  id: 1,
  user_id: 1,
  items: [line],
  total: 69,
  status: "pending",
  created_at: time,
  updated_at: time,
};

const text = { title: "Hello", content: "First words", status: "published", tags: ["news"] };
const post = { id: 1, author_id: 1, ...text, created_at: time, updated_at: time, view_count: 0 };

const item = { id: 1, name: "lamp" };

/** An example of every named object in the document, by schema name. */
export const examples: Readonly<Record<string, unknown>> = {
  Account: { ...account, role: "user" },
  Cart: [line],
  CartItem: line,
  Conflict: { error: "Conflict", message: "The username ada is already taken", field: "username" },
  CreateProductRequest: lamp,
  CreateTodoRequest: { title: "Buy milk" },
  CreateUserRequest: person,
  Detail: { detail: "Not Found" },
  EnvelopeError: { success: false, data: null, error: "User not found" },
  Error: { error: "Todo not found" },
  GatewayError: { message: "Too Many Requests" },
  Health: { status: "ok" },
  InternalServerError: {
    error: "InternalServerError",
    message: "An unexpected error occurred",
    path: "https://api.example.com/todos",
  },
  Item: item,
  JsonObject: { name: "lamp", colour: "red" },
  LogInRequest: { username: "ada", password },
  Order: order,
  PaginatedItems: { items: [item], total: 1, page: 1, size: 10, pages: 1 },
  PatchProductRequest: { price: 29.9 },
  PatchUserRequest: { age: 37 },
  Post: post,
  PostCreate: text,
  PostStatistics: {
    total_posts: 2,
    by_status: { draft: 1, published: 1 },
    total_views: 5,
    average_views: 2.5,
  },
  PostUpdate: { status: "archived" },
  Product: product,
  ProductPage: { page: 1, size: 10, total: 1, items: [product] },
  Readiness: { status: "ready" },
  RegisteredUser: registered,
  RegisteredUsers: { created: 1, items: [registered] },
  StoredObject: { item_id: 1, name: "lamp", colour: "red" },
  StructuredError: {
    error: "NotFound",
    message: "Item with id 7 not found",
    path: "https://api.example.com/items/7",
  },
  Todo: todo,
  Token: { access_token: "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhZGEifQ.c2lnbmF0dXJl", token_type: "bearer" },
  UpdateTodoRequest: { completed: true },
  User: user,
  UserCreate: { ...account, password, age: 36 },
  UserResponse: { success: true, data: user, error: null },
  UserSearch: { filters: { name: "Ada" }, sort: "-age", page: 1, size: 10 },
  UsersV1: { version: "1.0", users: [user] },
  UsersV2: { version: "2.0", users: [user], metadata: { total: 1 } },
  ValidationError: {
    error: "ValidationError",
    message: "Request validation failed",
    details: [{ field: "body.title", message: "Required", type: "missing" }],
  },
};
