//! A session of the generated Rust client, of the document with lists=objects.
use openapi::apis::{accounts_api::*, configuration::Configuration, products_api::*, todos_api::*, Error};
use openapi::models::{CreateTodoRequest, ListsAsObjects, LogInRequest, UserCreate};

fn check(step: &str, condition: bool) {
    assert!(condition, "failed: {step}");
    println!("passed: {step}");
}

/// The status and the body of a failure.
fn failure<T, E>(result: Result<T, Error<E>>) -> (u16, String) {
    match result {
        Err(Error::ResponseError(response)) => (response.status.as_u16(), response.content),
        _ => panic!("The call did not fail"),
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let base_path = std::env::args().nth(1).expect("the URL");
    let mut api = Configuration { base_path, ..Configuration::default() };
    let lists = ListsAsObjects::Objects;

    let name = format!("rust{}", std::time::UNIX_EPOCH.elapsed()?.as_nanos());
    let account = UserCreate::new(name.clone(), format!("{name}@example.com"), "Analytical1".into());
    check("register", register_account(&api, account.clone(), None).await?.username == name);
    let login = LogInRequest::new(name.clone(), "Analytical1".into());
    api.bearer_access_token = Some(log_in(&api, login).await?.access_token);
    check("log in", get_own_account(&api).await?.username == name);
    let catalog = list_products(&api, lists, None, None, None, None, None, None, None, None).await?;
    check("catalog", catalog.items.len() > 10 && catalog.items[0].price > 0.0);

    let titles: Vec<String> = (0..5).map(|number| format!("{name} {number}")).collect();
    for title in &titles {
        create_todo(&api, CreateTodoRequest::new(title.clone()), None).await?;
    }
    let (mut found, mut cursor) = (Vec::new(), None);
    loop {
        let part = list_todos(&api, lists, Some(2), cursor.as_deref()).await?;
        found.extend(part.items.into_iter().filter(|todo| todo.title.starts_with(&name)));
        cursor = part.next.and_then(|next| next.cursor);
        if cursor.is_none() {
            break;
        }
    }
    check("iterate", found.iter().map(|todo| &todo.title).eq(&titles));

    let id = found[0].id;
    // The client tries to read the empty body.
    check("304", matches!(get_todo(&api, id, Some("*")).await, Err(Error::Serde(_))));
    check("412", failure(delete_todo(&api, id, Some("\"another\"")).await).0 == 412);
    delete_todo(&api, id, Some("*")).await?;
    check("delete", failure(get_todo(&api, id, None).await).0 == 404);
    let weak = UserCreate { password: "no digit in it".into(), ..account };
    let (status, body) = failure(register_account(&api, weak, None).await);
    check("422", status == 422 && body.contains("body.password"));
    Ok(())
}
