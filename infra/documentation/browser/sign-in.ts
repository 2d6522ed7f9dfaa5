import { create, find } from "./elements.ts";
import { session } from "./session.ts";

/** The button in the header and its dialog. */
export function connectSignIn(): void {
  const dialog = find<HTMLDialogElement>("#sign-in-dialog");
  const account = find<HTMLFormElement>("#account-form");
  const key = find<HTMLFormElement>("#key-form");
  find("#sign-in").addEventListener("click", () => {
    showState();
    dialog.showModal();
  });
  // Links lead to an operation behind the dialog.
  dialog.addEventListener("click", ({ target }) => {
    if (target instanceof HTMLAnchorElement) dialog.close();
  });

  account.addEventListener("submit", async (event) => {
    event.preventDefault();
    const state = find("#account-state");
    try {
      const response = await fetch("/auth/login", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(Object.fromEntries(new FormData(account))),
      });
      const body = await response.json();
      if (response.ok) {
        account.reset();
        session.token = body.access_token;
      } else state.textContent = `${response.status}: ${body.detail ?? body.message}`;
    } catch (error) {
      state.textContent = `The deployment does not respond: ${error}`;
    }
  });
  find("#sign-out").addEventListener("click", () => {
    session.token = undefined;
  });
  key.addEventListener("submit", (event) => {
    event.preventDefault();
    session.apiKey = find<HTMLInputElement>("input", key).value.trim() || undefined;
  });

  session.onChange(showState);
  showState();
}

function showState(): void {
  const { signedIn, apiKey } = session;
  find("#sign-in").textContent = signedIn?.username ?? (apiKey ? "API key" : "Sign in");
  find("#credentials").hidden = signedIn !== undefined;
  find("#sign-out").hidden = signedIn === undefined;
  const time = signedIn?.expires.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
  find("#account-state").replaceChildren(
    ...(signedIn
      ? ["Signed in as ", create("strong", {}, signedIn.username), ` until ${time}.`]
      : [
          "Not signed in. ",
          create("a", { href: "#registerAccount" }, "Register"),
          " if you have no account.",
        ]),
  );
  find("#key-state").textContent = apiKey ? "The page sends the key." : "";
  find<HTMLInputElement>("#key-form input").value = apiKey ?? "";
}
