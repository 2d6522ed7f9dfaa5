// A session of the generated Go client with the service whose URL is the argument.
package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"time"

	api "openapi"
)

func check(step string, condition bool) {
	if !condition {
		fmt.Println("failed:", step)
		os.Exit(1)
	}
	fmt.Println("passed:", step)
}

func must(step string, err error) {
	if err != nil {
		fmt.Println(step, err)
	}
	check(step, err == nil)
}

// model is the error body of a failed call, as the client reads it.
func model[T any](err error) T {
	var failed *api.GenericOpenAPIError
	if errors.As(err, &failed) {
		if body, ok := failed.Model().(T); ok {
			return body
		}
	}
	var none T
	return none
}

func main() {
	configuration := api.NewConfiguration()
	configuration.Servers = api.ServerConfigurations{{URL: os.Args[1]}}
	client, ctx := api.NewAPIClient(configuration), context.Background()
	accounts, todos, users := client.AccountsAPI, client.TodosAPI, client.UsersAPI

	name := fmt.Sprintf("go%d", time.Now().UnixNano())
	account := *api.NewUserCreate(name, name+"@example.com", "Analytical1")
	registered, _, err := accounts.RegisterAccount(ctx).UserCreate(account).Execute()
	check("register", err == nil && registered.Username == name)
	token, _, err := accounts.LogIn(ctx).LogInRequest(*api.NewLogInRequest(name, "Analytical1")).Execute()
	must("token", err)
	ctx = context.WithValue(ctx, api.ContextAccessToken, token.AccessToken)
	own, _, err := accounts.GetOwnAccount(ctx).Execute()
	check("log in", err == nil && own.Username == name)

	page, _, err := client.ProductsAPI.ListProducts(ctx).Page(1).Size(5).Execute()
	must("page", err)
	whole, _, err := client.ProductsAPI.ListProducts(ctx).Execute()
	must("whole", err)
	product := page.ProductPage.Items[0]
	check("catalog", product.Price > 0 && (*whole.ArrayOfProduct)[0].Name != "")

	person, _, err := users.CreateUser(ctx).CreateUserRequest(*api.NewCreateUserRequest(name, "ada@example.com", 36)).Execute()
	must("user", err)
	place := client.OrdersAPI.PlaceOrder(ctx).CartItem([]api.CartItem{*api.NewCartItem(product.Id, 1)}).UserId(person.Id).IdempotencyKey(name)
	order, _, err := place.Execute()
	check("order", err == nil && order.Total == product.Price && order.UserId == person.Id)
	replay, response, err := place.Execute()
	check("replay", err == nil && replay.Id == order.Id && response.Header.Get("Idempotency-Replayed") == "true")

	var titles, found []string
	for number := range 5 {
		titles = append(titles, fmt.Sprint(name, " ", number))
		_, _, err = todos.CreateTodo(ctx).CreateTodoRequest(*api.NewCreateTodoRequest(titles[number])).Execute()
		must("todo", err)
	}
	next := regexp.MustCompile(`cursor=([\w-]+)[^>]*>; rel="next"`)
	for list := todos.ListTodos(ctx).Limit(2); ; {
		part, response, err := list.Execute()
		must("part", err)
		for _, todo := range part {
			if strings.HasPrefix(todo.Title, name) {
				found = append(found, todo.Title)
			}
		}
		link := next.FindStringSubmatch(response.Header.Get("Link"))
		if link == nil {
			break
		}
		list = list.Cursor(link[1])
	}
	check("iterate", slices.Equal(found, titles))
	list, _, err := users.ListUsers(ctx).Name(name).Execute()
	must("list", err)
	listed := (*list.ArrayOfListedUser)[0]
	check("users", *listed.Id == person.Id && *listed.Name == name && *listed.Age == 36)
	list, _, err = users.ListUsers(ctx).Name(name).ApiVersion("2.0").Execute()
	check("versions", err == nil && list.UsersV2 != nil && list.UsersV2.Metadata.Total == 1)

	status := func(response *http.Response) int {
		if response == nil {
			return 0
		}
		return response.StatusCode
	}
	created, _, err := todos.CreateTodo(ctx).CreateTodoRequest(*api.NewCreateTodoRequest(name)).Execute()
	must("todo", err)
	_, response, _ = todos.GetTodo(ctx, created.Id).IfNoneMatch("*").Execute()
	check("304", status(response) == 304)
	response, _ = todos.DeleteTodo(ctx, created.Id).IfMatch(`"another"`).Execute()
	check("412", status(response) == 412)
	response, err = todos.DeleteTodo(ctx, created.Id).IfMatch("*").Execute()
	check("delete", err == nil && status(response) == 204)
	_, response, err = todos.GetTodo(ctx, created.Id).Execute()
	check("404", status(response) == 404 && model[api.ErrorMessage](err).Error != "")
	_, response, err = accounts.RegisterAccount(ctx).UserCreate(account).Execute()
	check("409", status(response) == 409 && model[api.Conflict](err).Field == "username")
	account.Password = "no digit in it"
	_, response, err = accounts.RegisterAccount(ctx).UserCreate(account).Execute()
	check("422", status(response) == 422 && model[api.ValidationError](err).Details[0].Field == "body.password")
}
