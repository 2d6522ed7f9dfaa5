// A session of the client that oapi-codegen generates with the service whose URL is the argument.
package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"regexp"
	"slices"
	"time"
)

func check(step string, condition bool) {
	if !condition {
		fmt.Println("failed:", step)
		os.Exit(1)
	}
	fmt.Println("passed:", step)
}

func must[T any](result T, err error) T {
	if err != nil {
		check(err.Error(), false)
	}
	return result
}

func main() {
	ctx, token := context.Background(), ""
	api := must(NewClientWithResponses(os.Args[1], WithRequestEditorFn(func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+token)
		return nil
	})))

	name, password := fmt.Sprintf("oapi%d", time.Now().UnixNano()), "Analytical1"
	account := UserCreate{Username: name, Email: name + "@example.com", Password: &password}
	registered := must(api.RegisterAccountWithResponse(ctx, nil, account))
	check("register", registered.JSON201.Username == name)
	token = must(api.LogInWithResponse(ctx, nil, LogInRequest{Username: name, Password: &password})).JSON200.AccessToken
	check("log in", must(api.GetOwnAccountWithResponse(ctx)).JSON200.Username == name)
	size := int64(5)
	page := must(must(api.ListProductsWithResponse(ctx, &ListProductsParams{Size: &size})).JSON200.AsProductPage())
	whole := must(must(api.ListProductsWithResponse(ctx, nil)).JSON200.AsListProductsResult1())
	check("catalog", len(page.Items) == 5 && page.Items[0].Price > 0 && whole[0].Name == page.Items[0].Name)

	var id int64
	var titles, found []string
	for number := range 5 {
		titles = append(titles, fmt.Sprint(name, " ", number))
		must(api.CreateTodoWithResponse(ctx, nil, CreateTodoRequest{Title: titles[number]}))
	}
	next, limit := regexp.MustCompile(`cursor=([\w-]+)[^>]*>; rel="next"`), 2
	for query := (ListTodosParams{Limit: &limit}); ; {
		part := must(api.ListTodosWithResponse(ctx, &query))
		for _, todo := range *part.JSON200 {
			if slices.Contains(titles, todo.Title) {
				found, id = append(found, todo.Title), todo.Id
			}
		}
		link := next.FindStringSubmatch(part.HTTPResponse.Header.Get("Link"))
		if link == nil {
			break
		}
		query.Cursor = &link[1]
	}
	check("iterate", slices.Equal(found, titles))

	anyTag, otherTag := "*", `"another"`
	read := must(api.GetTodoWithResponse(ctx, id, &GetTodoParams{IfNoneMatch: &anyTag}))
	check("304", read.StatusCode() == 304 && read.JSON200 == nil)
	check("412", must(api.DeleteTodoWithResponse(ctx, id, &DeleteTodoParams{IfMatch: &otherTag})).StatusCode() == 412)
	check("delete", must(api.DeleteTodoWithResponse(ctx, id, &DeleteTodoParams{IfMatch: &anyTag})).StatusCode() == 204)
	check("404", must(api.GetTodoWithResponse(ctx, id, nil)).JSON404.Error != "")
	*account.Password = "no digit in it"
	check("422", must(api.RegisterAccountWithResponse(ctx, nil, account)).JSON422.Details[0].Field == "body.password")
}
