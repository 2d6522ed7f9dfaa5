import { createClient } from "resource-api";

/** What survives a reload of this tab: token, username, cart with its idempotency key, ids of orders. */
const saved = {
  cart: [],
  orders: [],
  ...JSON.parse(sessionStorage.getItem("shop") ?? "{}"),
};
const save = () => sessionStorage.setItem("shop", JSON.stringify(saved));

const apiUrl = document.querySelector('meta[name="api"]').content;
const api = createClient({
  baseUrl: apiUrl,
  token: () => saved.token,
});
/** Browsers hide why there was no response: all of their errors are a TypeError. */
const explain = (error) =>
  error instanceof TypeError
    ? `No response from ${apiUrl}. Does the service run, by npm start -- --front-end? (${error.message})`
    : error.message;
const find = (selector) => document.querySelector(selector);
const money = (amount) => amount.toLocaleString("en", { style: "currency", currency: "EUR" });

/** Creates an element. Text comes from the service, so it is only ever set as text, never as HTML. */
function element(tag, properties, ...children) {
  const created = Object.assign(document.createElement(tag), properties);
  created.append(...children);
  return created;
}

const button = (text, label, onclick, disabled = false) =>
  element("button", { type: "button", textContent: text, ariaLabel: label, onclick, disabled });

// Catalog

const filters = find("#filters");
const products = new Map();

/** Every change of the filters starts a new search; only the last one may show its result. */
let lastSearch = 0;

async function search() {
  lastSearch += 1;
  const current = lastSearch;
  const { category, min_price, max_price, in_stock } = filters.elements;
  const query = {
    limit: 100,
    in_stock: in_stock.checked,
    ...(category.value && { category: category.value }),
    ...(min_price.value && { min_price: min_price.valueAsNumber }),
    ...(max_price.value && { max_price: max_price.valueAsNumber }),
  };
  const found = [];
  for await (const product of api.paginate("/products", { params: { query } })) found.push(product);
  if (current !== lastSearch) return;
  for (const product of found) products.set(product.id, product);
  find("#products").replaceChildren(...found.map(productCard));
}

function productCard({ id, name, description, price, stock, category }) {
  const picture = element("div", { className: "picture", textContent: name[0] ?? "", ariaHidden: "true" });
  picture.style.setProperty(
    "--hue",
    String([...category].reduce((sum, letter) => sum + letter.codePointAt(0), 0) * 47),
  );
  return element(
    "li",
    { className: "product" },
    picture,
    element("h2", { textContent: name }),
    element("p", { textContent: description }),
    element(
      "div",
      { className: "buy" },
      element("span", { textContent: money(price) }),
      button(stock > 0 ? "Add" : "Sold out", `Add ${name}`, () => changeCart(id, 1), stock === 0),
    ),
  );
}

async function showCategories() {
  const categories = new Set();
  for await (const product of api.paginate("/products", { params: { query: { in_stock: false } } })) {
    products.set(product.id, product);
    categories.add(product.category);
  }
  const options = [...categories]
    .sort()
    .map((category) => element("option", { value: category, textContent: category }));
  filters.elements.category.append(...options);
  showCart();
}

// Cart

function changeCart(id, by) {
  const line = saved.cart.find(({ product_id }) => product_id === id);
  if (line) line.quantity += by;
  else saved.cart.push({ product_id: id, quantity: by });
  const { quantity = by } = line ?? {};
  const name = products.get(id)?.name ?? `Product ${id}`;
  find("#added").textContent = quantity > 0 ? `${quantity} × ${name} in the cart` : `${name} removed`;
  saved.cart = saved.cart.filter(({ quantity }) => quantity > 0);
  // Another cart is another order.
  saved.orderKey = undefined;
  save();
  showCart();
}

function showCart() {
  const lines = saved.cart.map((line) => ({ ...line, ...products.get(line.product_id) }));
  const total = lines.reduce((sum, { price = 0, quantity }) => sum + price * quantity, 0);
  const items = lines.map(({ product_id, name = `Product ${product_id}`, quantity }) =>
    element(
      "li",
      {},
      element("span", { textContent: `${quantity} × ${name}` }),
      button("−", `One ${name} less`, () => changeCart(product_id, -1)),
      button("+", `One ${name} more`, () => changeCart(product_id, 1)),
    ),
  );
  find("#cart").replaceChildren(
    ...(items.length > 0 ? items : [element("li", { className: "empty", textContent: "Nothing yet" })]),
  );
  find("#total").textContent = money(total);
  const count = lines.reduce((sum, { quantity }) => sum + quantity, 0);
  find("footer a").textContent = `Cart: ${count} · ${money(total)}`;
  find("#order").disabled = items.length === 0;
}

// Orders

const next = { pending: ["paid", "Pay"], paid: ["shipped", "Ship"], shipped: ["delivered", "Deliver"] };

/** The key belongs to the cart, so a second click, a retry or a reload cannot order twice. */
async function order() {
  if (!saved.token) return find("#sign-in").showModal();
  saved.orderKey ??= crypto.randomUUID();
  save();
  find("#order").disabled = true;
  const header = { "idempotency-key": saved.orderKey };
  const { data, error } = await api.idempotent("/orders", { body: saved.cart, params: { header } });
  find("#message").textContent = error?.message ?? "";
  if (error?.status === 401) await showAccount();
  if (data) {
    if (!saved.orders.includes(data.id)) saved.orders.unshift(data.id);
    saved.cart = [];
    saved.orderKey = undefined;
    save();
  }
  showCart();
  await Promise.all([showOrders(), search()]);
}

/** A service with access rules shows them to their customer only, while the token is valid. */
async function showOrders() {
  const ids = saved.token ? saved.orders : [];
  const responses = await Promise.all(
    ids.map((order_id) => api.GET("/orders/{order_id}", { params: { path: { order_id } } })),
  );
  if (responses.some(({ response }) => response.status === 401)) return showAccount();
  find("#orders").replaceChildren(...responses.flatMap(({ data }) => (data ? [orderLine(data)] : [])));
}

function orderLine({ id, status, total }) {
  const [following, label] = next[status] ?? [];
  const isOpen = following !== undefined;
  return element(
    "li",
    {},
    element("span", { textContent: `Order ${id}, ${money(total)}` }),
    ...(isOpen ? [button(label, `${label} order ${id}`, () => setStatus(id, following))] : []),
    ...(isOpen ? [button("Cancel", `Cancel order ${id}`, () => setStatus(id, "cancelled"))] : []),
    element("span", { className: "status" }, "Status: ", element("b", { textContent: status })),
  );
}

async function setStatus(order_id, status) {
  const params = { path: { order_id }, query: { status } };
  const { error } = await api.PATCH("/orders/{order_id}/status", { params });
  find("#message").textContent = error?.message ?? "";
  await showOrders();
}

// Account

const signIn = find("#sign-in");

async function submit(event) {
  event.preventDefault();
  const { username, password, email } = Object.fromEntries(new FormData(event.target));
  if (event.submitter?.value === "register") {
    const { error } = await api.POST("/users/", { body: { username, password, email } });
    if (error) return showSignInError(error);
  }
  const { data, error } = await api.POST("/auth/login", { body: { username, password } });
  if (error) return showSignInError(error);
  Object.assign(saved, { token: data.access_token });
  showSignInError();
  signIn.close();
  await showAccount();
}

/** Errors of fields are shown beside them: `body.email` if it is invalid, `email` if it is taken. */
function showSignInError(error) {
  for (const note of signIn.querySelectorAll("[data-for]")) {
    const field = error?.fields.find(({ field }) => field.split(".").at(-1) === note.dataset.for);
    note.textContent = field?.message ?? "";
  }
  find("#sign-in-message").textContent = error && error.fields.length === 0 ? error.message : "";
}

async function showAccount() {
  const { data: account } = saved.token ? await api.GET("/users/me") : {};
  if (!account) saved.token = undefined;
  save();
  find("#greeting").textContent = account ? `Hello, ${account.username}` : "";
  find("#account").textContent = account ? "Sign out" : "Sign in";
  await showOrders();
}

function signInOrOut() {
  if (!saved.token) return signIn.showModal();
  saved.token = undefined;
  return showAccount();
}

filters.addEventListener("input", search);
find("#order").addEventListener("click", order);
find("#account").addEventListener("click", signInOrOut);
find("#cancel").addEventListener("click", () => signIn.close());
signIn.querySelector("form").addEventListener("submit", submit);
// Lists that fail, and a service that cannot be reached.
addEventListener("unhandledrejection", ({ reason }) => {
  find("#message").textContent = explain(reason);
});

showCategories();
search();
showAccount();
setInterval(showOrders, 5_000);
