/** A session of the generated Kotlin client, of the document with lists=objects. */
import java.util.UUID
import kotlin.system.exitProcess
import org.openapitools.client.apis.*
import org.openapitools.client.infrastructure.*
import org.openapitools.client.models.*

fun check(step: String, condition: Boolean) {
    println("${if (condition) "passed" else "failed"}: $step")
    if (!condition) exitProcess(1)
}

fun main(arguments: Array<String>) {
    val (url) = arguments
    val accounts = AccountsApi(url)
    val todos = TodosApi(url)
    val lists = ListsAsObjects.OBJECTS

    val name = "kotlin" + UUID.randomUUID().toString().replace("-", "")
    val account = UserCreate(name, "$name@example.com", "Analytical1")
    check("register", accounts.registerAccount(account).username == name)
    ApiClient.accessToken = accounts.logIn(LogInRequest(name, "Analytical1")).accessToken
    check("log in", accounts.getOwnAccount().username == name)
    val catalog = ProductsApi(url).listProducts(lists).items
    check("catalog", catalog.size > 10 && catalog[0].price > 0)

    val titles = (0..4).map { "$name $it" }
    titles.forEach { todos.createTodo(CreateTodoRequest(it)) }
    val parts = generateSequence(todos.listTodos(lists, 2)) { part ->
        part.next?.cursor?.let { todos.listTodos(lists, 2, it) }
    }
    val found = parts.flatMap { it.items }.filter { it.title in titles }.toList()
    check("iterate", found.map { it.title } == titles)

    val id = found[0].id
    check("304", todos.getTodoWithHttpInfo(id, "*").statusCode == 304)
    check("412", todos.deleteTodoWithHttpInfo(id, "\"another\"").statusCode == 412)
    todos.deleteTodo(id, "*")
    check("delete", todos.getTodoWithHttpInfo(id, null).statusCode == 404)
    val weak = accounts.registerAccountWithHttpInfo(account.copy(password = "no digit in it"), null)
    check("422", weak.statusCode == 422 && "body.password" in (weak as ClientError<*>).body.toString())
}
