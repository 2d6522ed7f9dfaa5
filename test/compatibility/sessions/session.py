"""A session of the generated Python client with the service whose URL is the argument."""
import re
import sys
import uuid

import openapi_client as api
from openapi_client.exceptions import ApiException

configuration = api.Configuration(host=sys.argv[1])
client = api.ApiClient(configuration)
accounts, orders, products = api.AccountsApi(client), api.OrdersApi(client), api.ProductsApi(client)
todos, users = api.TodosApi(client), api.UsersApi(client)


def check(step, condition):
    if not condition:
        sys.exit(f"failed: {step}")
    print("passed:", step)


def failure(call):
    try:
        call()
    except ApiException as error:
        return error
    sys.exit("The call did not fail")


def fails_with(status, call):
    error = failure(call)
    return error.status == status and error.data is not None and error


name = "python" + uuid.uuid4().hex
account = api.UserCreate(username=name, email=f"{name}@example.com", password="Analytical1")
check("register", accounts.register_account(account).username == name)
login = api.LogInRequest(username=name, password="Analytical1")
configuration.access_token = accounts.log_in(log_in_request=login).access_token
check("log in", accounts.get_own_account().username == name)

page = products.list_products(page=1, size=5).actual_instance
whole = products.list_products().actual_instance
check("catalog", page.total > 0 and page.items[0].price > 0 and isinstance(whole[0], api.Product))

person = users.create_user(api.CreateUserRequest(name=name, email="ada@example.com", age=36))
cart = [api.CartItem(product_id=page.items[0].id, quantity=1)]
order = orders.place_order(cart, user_id=person.id, idempotency_key=name)
check("order", order.total == page.items[0].price and order.user_id == person.id)
replay = orders.place_order_with_http_info(cart, user_id=person.id, idempotency_key=name)
check("replay", replay.data.id == order.id and replay.headers.get("idempotency-replayed") == "true")

for number in range(5):
    todos.create_todo(api.CreateTodoRequest(title=f"{name} {number}"))
found, cursor = [], None
while True:
    part = todos.list_todos_with_http_info(limit=2, cursor=cursor)
    found += [todo.title for todo in part.data if todo.title.startswith(name)]
    link = re.search(r'cursor=([\w-]+)[^>]*>; rel="next"', part.headers.get("link", ""))
    if link is None:
        break
    cursor = link[1]
check("iterate", found == [f"{name} {number}" for number in range(5)])
listed = users.list_users(name=name).actual_instance[0]
check("users", (listed.id, listed.name, listed.age) == (person.id, name, 36))
check("versions", users.list_users(name=name, api_version="2.0").actual_instance.metadata.total == 1)

id = todos.create_todo(api.CreateTodoRequest(title=name)).id
check("304", failure(lambda: todos.get_todo(id, if_none_match="*")).status == 304)
check("412", fails_with(412, lambda: todos.delete_todo(id, if_match='"another"')))
todos.delete_todo(id, if_match="*")
check("delete", fails_with(404, lambda: todos.get_todo(id)).data.error)
check("409", fails_with(409, lambda: accounts.register_account(account)).data.var_field == "username")
weak = account.model_copy(update={"password": "no digit in it"})
check("422", fails_with(422, lambda: accounts.register_account(weak)).data.details[0].var_field == "body.password")
