import { find, findAll } from "./elements.ts";
import { credential, signedIn, storeCredential } from "./session.ts";

export function connectSignIn(): void {
  const dialog = find<HTMLDialogElement>("#sign-in-dialog");
  const account = find<HTMLFormElement>("#account-form");
  const key = find<HTMLInputElement>("#key-form input");
  find("#sign-in").addEventListener("click", () => {
    showState();
    dialog.showModal();
  });
  // A link leads to an operation behind the dialog.
  find("a", dialog).addEventListener("click", () => dialog.close());

  account.addEventListener("submit", async (event) => {
    event.preventDefault();
    const error = find("#sign-in-error");
    try {
      const response = await fetch("auth/login", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(Object.fromEntries(new FormData(account))),
      });
      const body = await response.json();
      error.textContent = response.ok ? "" : `${response.status}: ${body.detail ?? body.message}`;
      if (!response.ok) return;
      account.reset();
      storeCredential("bearer", body.access_token);
    } catch (cause) {
      error.textContent = `The deployment does not respond: ${cause}`;
    }
  });
  // Only where an identity provider's tokens are accepted.
  for (const form of findAll<HTMLFormElement>("#token-form"))
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      storeCredential("bearer", String(new FormData(form).get("token")).trim());
      find("#sign-in-error").textContent = signedIn() ? "" : "The token is invalid or has expired";
      form.reset();
    });
  find("#sign-out").addEventListener("click", () => storeCredential("bearer", ""));
  find("#key-form").addEventListener("submit", (event) => {
    event.preventDefault();
    storeCredential("apiKey", key.value.trim());
  });

  const showState = () => {
    const state = signedIn();
    const apiKey = credential("apiKey");
    find("#sign-in").textContent = state?.username ?? (apiKey ? "API key" : "Sign in");
    find("#signed-out").hidden = state !== undefined;
    find("#signed-in").hidden = state === undefined;
    const time = state?.expires.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
    find("#account-state").textContent = state ? `Signed in as ${state.username} until ${time}` : "";
    find("#key-state").textContent = apiKey ? "The page sends the key." : "";
    key.value = apiKey ?? "";
  };
  addEventListener("credential", showState);
  showState();
}
