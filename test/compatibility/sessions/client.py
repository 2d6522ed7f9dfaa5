"""A session of the client of openapi-python-client with the service whose URL is the argument."""
import re
import sys
import uuid

from other import AuthenticatedClient, Client, models
from other.api.accounts import get_own_account, log_in, register_account
from other.api.products import list_products
from other.api.todos import create_todo, delete_todo, get_todo, list_todos

api = Client(sys.argv[1])


def check(step, condition):
    if not condition:
        sys.exit(f"failed: {step}")
    print("passed:", step)


name = "client" + uuid.uuid4().hex
account = models.UserCreate(username=name, email=f"{name}@example.com", password="Analytical1")
check("register", register_account.sync(client=api, body=account).username == name)
login = models.LogInRequest(username=name, password="Analytical1")
api = AuthenticatedClient(sys.argv[1], token=log_in.sync(client=api, body=login).access_token)
check("log in", get_own_account.sync(client=api).username == name)
page, whole = list_products.sync(client=api, size=5), list_products.sync(client=api)
check("catalog", len(page.items) == 5 and page.items[0].price > 0 and whole[0].name == page.items[0].name)

titles = [f"{name} {number}" for number in range(5)]
for title in titles:
    create_todo.sync(client=api, body=models.CreateTodoRequest(title=title))
found, query = [], {"limit": 2}
while query:
    part = list_todos.sync_detailed(client=api, **query)
    found += [todo for todo in part.parsed if todo.title in titles]
    link = re.search(r'cursor=([\w-]+)[^>]*>; rel="next"', part.headers.get("link", ""))
    query = link and {"limit": 2, "cursor": link[1]}
check("iterate", [todo.title for todo in found] == titles)

id = found[0].id
check("304", get_todo.sync_detailed(id, client=api, if_none_match="*").status_code == 304)
check("412", delete_todo.sync_detailed(id, client=api, if_match='"another"').status_code == 412)
check("delete", delete_todo.sync_detailed(id, client=api, if_match="*").status_code == 204)
check("404", get_todo.sync(id, client=api).error)
account.password = "no digit in it"
refused = register_account.sync(client=api, body=account)
check("422", refused.details[0].field == "body.password")
