<?php
/** A session of the generated PHP client, of the document with lists=objects. */
use OpenAPI\Client as api;

require 'GuzzleHttp/autoload.php';
spl_autoload_register(function ($name) {
    $file = __DIR__ . '/lib/' . strtr(substr($name, strlen('OpenAPI\\Client\\')), '\\', '/') . '.php';
    if (str_starts_with($name, 'OpenAPI\\Client\\') && is_file($file)) require $file;
});

function check(string $step, bool $condition): void {
    if (!$condition) exit("failed: $step\n");
    echo "passed: $step\n";
}

function failure(callable $call): ?api\ApiException {
    try {
        $call();
    } catch (api\ApiException $error) {
        return $error;
    }
    return null;
}

$configuration = (new api\Configuration())->setHost($argv[1]);
$accounts = new api\Api\AccountsApi(null, $configuration);
$todos = new api\Api\TodosApi(null, $configuration);

$name = 'php' . bin2hex(random_bytes(8));
$account = ['username' => $name, 'email' => "$name@example.com", 'password' => 'Analytical1'];
check('register', $accounts->registerAccount(new api\Model\UserCreate($account))->getUsername() === $name);
$configuration->setAccessToken($accounts->logIn(new api\Model\LogInRequest($account))->getAccessToken());
check('log in', $accounts->getOwnAccount()->getUsername() === $name);
$catalog = (new api\Api\ProductsApi(null, $configuration))->listProducts('objects');
check('catalog', count($catalog->getItems()) > 10 && $catalog->getItems()[0]->getPrice() > 0);

$titles = array_map(fn ($number) => "$name $number", range(0, 4));
$found = [];
foreach ($titles as $title) $todos->createTodo(new api\Model\CreateTodoRequest(['title' => $title]));
$cursor = null;
do {
    $part = $todos->listTodos('objects', 2, $cursor);
    foreach ($part->getItems() as $todo) if (str_starts_with($todo->getTitle(), $name)) $found[] = $todo;
    $cursor = $part->getNext()?->getCursor();
} while ($cursor !== null);
check('iterate', array_map(fn ($todo) => $todo->getTitle(), $found) === $titles);

$id = $found[0]->getId();
check('304', failure(fn () => $todos->getTodo($id, '*'))?->getCode() === 304);
check('412', failure(fn () => $todos->deleteTodo($id, '"another"'))?->getCode() === 412);
$todos->deleteTodo($id, '*');
check('delete', failure(fn () => $todos->getTodo($id))?->getCode() === 404);
$weak = new api\Model\UserCreate([...$account, 'password' => 'no digit in it']);
$refused = failure(fn () => $accounts->registerAccount($weak));
check('422', $refused?->getResponseObject()->getDetails()[0]->getField() === 'body.password');
