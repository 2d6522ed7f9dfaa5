import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.ApiResponse;
import org.openapitools.client.api.*;
import org.openapitools.client.model.*;

/** A session of the generated Java client with the service whose URL is the argument. */
public class Session {
  interface Call {
    void run() throws ApiException;
  }

  static void check(String step, boolean condition) {
    if (!condition) throw new IllegalStateException("failed: " + step);
    System.out.println("passed: " + step);
  }

  static ApiException failure(Call call) {
    try {
      call.run();
    } catch (ApiException error) {
      return error;
    }
    throw new IllegalStateException("The call did not fail");
  }

  public static void main(String[] arguments) throws Exception {
    ApiClient client = new ApiClient().setBasePath(arguments[0]);
    AccountsApi accounts = new AccountsApi(client);
    OrdersApi orders = new OrdersApi(client);
    ProductsApi products = new ProductsApi(client);
    TodosApi todos = new TodosApi(client);
    UsersApi users = new UsersApi(client);

    String name = "java" + UUID.randomUUID().toString().replace("-", "");
    UserCreate account =
        new UserCreate().username(name).email(name + "@example.com").password("Analytical1");
    check("register", accounts.registerAccount(account, null).getUsername().equals(name));
    LogInRequest login = new LogInRequest().username(name).password("Analytical1");
    client.setBearerToken(accounts.logIn(null, null, login).getAccessToken());
    check("log in", accounts.getOwnAccount().getUsername().equals(name));

    ProductPage page =
        products.listProducts(null, null, 1L, 5L, null, null, null, null).getProductPage();
    List<Product> whole =
        products.listProducts(null, null, null, null, null, null, null, null).getListProduct();
    Product product = page.getItems().get(0);
    check("catalog", product.getPrice() > 0 && !whole.get(0).getName().isEmpty());

    User person = users.createUser(new CreateUserRequest().name(name).email("ada@example.com").age(36L), null);
    List<CartItem> cart = List.of(new CartItem().productId(product.getId()).quantity(1L));
    Order order = orders.placeOrder(cart, person.getId(), name);
    check("order", order.getTotal().equals(product.getPrice()) && order.getUserId().equals(person.getId()));
    ApiResponse<Order> replay = orders.placeOrderWithHttpInfo(cart, person.getId(), name);
    boolean isReplay = replay.getHeaders().get("idempotency-replayed").contains("true");
    check("replay", isReplay && replay.getData().getId().equals(order.getId()));

    List<String> titles = new ArrayList<>();
    List<String> found = new ArrayList<>();
    for (int number = 0; number < 5; number++) {
      titles.add(name + " " + number);
      todos.createTodo(new CreateTodoRequest().title(titles.get(number)), null);
    }
    String cursor = null;
    do {
      ApiResponse<List<Todo>> part = todos.listTodosWithHttpInfo(2, cursor);
      part.getData().stream().map(Todo::getTitle).filter(titles::contains).forEach(found::add);
      String link = String.join(", ", part.getHeaders().getOrDefault("link", List.of()));
      Matcher next = Pattern.compile("cursor=([\\w-]+)[^>]*>; rel=\"next\"").matcher(link);
      cursor = next.find() ? next.group(1) : null;
    } while (cursor != null);
    check("iterate", found.equals(titles));
    ListedUser listed =
        users.listUsers(name, null, null, null, null, null, null, null, null).getListListedUser().get(0);
    check("users", listed.getId().equals(person.getId()) && listed.getName().equals(name) && listed.getAge() == 36);
    UsersV2 versioned = users.listUsers(name, null, null, null, null, null, null, null, "2.0").getUsersV2();
    check("versions", versioned.getMetadata().getTotal() == 1);

    Long id = todos.createTodo(new CreateTodoRequest().title(name), null).getId();
    check("304", failure(() -> todos.getTodo(id, "*")).getCode() == 304);
    check("412", failure(() -> todos.deleteTodo(id, "\"another\"")).getCode() == 412);
    todos.deleteTodo(id, "*");
    ApiException missing = failure(() -> todos.getTodo(id, null));
    check("delete", missing.getCode() == 404 && missing.getResponseBody().contains("error"));
    ApiException taken = failure(() -> accounts.registerAccount(account, null));
    check("409", taken.getCode() == 409 && taken.getResponseBody().contains("\"username\""));
    ApiException weak = failure(() -> accounts.registerAccount(account.password("no digit in it"), null));
    check("422", weak.getCode() == 422 && weak.getResponseBody().contains("body.password"));
  }
}
