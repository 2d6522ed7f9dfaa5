import { parseJson } from "../../../lib/parse-json.ts";
import { credentialHeaders } from "../code-sample.ts";
import { codeBlock, create, find } from "./elements.ts";
import { requestOf } from "./samples.ts";
import { credential, storeCredential } from "./session.ts";

/** Megabytes of coloured text would make the page slow. */
const shownCharacters = 50_000;

/** Sends what stands in the form, with the credentials that the operation needs, and shows the response. */
export function connectOperation(form: HTMLFormElement): void {
  const status = find(".sending", form);
  const title = find("h3", form).textContent;
  find(".sample pre", form).ariaLabel = `Code: ${title}`;
  find(".send", form).ariaDescription = title;
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    status.textContent = "Sending";
    try {
      await send(form);
      status.textContent = "";
    } catch (error) {
      status.textContent = `The deployment does not respond: ${error}`;
    }
  });
}

async function send(form: HTMLFormElement): Promise<void> {
  const { url, method, headers, body, credentials } = requestOf(form);
  const value = credentials && credential(credentials);
  const startedAt = performance.now();
  const response = await fetch(url, {
    method,
    headers: {
      ...headers,
      ...(credentials &&
        value && { [credentialHeaders[credentials].name]: credentialHeaders[credentials].prefix + value }),
    },
    ...(body !== undefined && { body }),
  });
  const text = await response.text();
  const milliseconds = Math.round(performance.now() - startedAt);
  const json = parseJson(text);
  if (response.ok && form.id === "logIn") {
    const { access_token } = json as { readonly access_token: string };
    storeCredential("bearer", access_token);
  }
  const shown = json === undefined ? text : JSON.stringify(json, undefined, 2);
  const shortened =
    shown.length > shownCharacters ? `${shown.slice(0, shownCharacters)}\n… (shortened)` : shown;
  find(".result", form).replaceChildren(
    summaryOf(response, milliseconds, text),
    codeBlock(shortened || "(empty)", "Response", json !== undefined),
    create(
      "details",
      {},
      create("summary", {}, "Headers"),
      codeBlock([...response.headers].map((header) => header.join(": ")).join("\n"), "Headers", false),
    ),
  );
}

function summaryOf({ status, statusText }: Response, milliseconds: number, text: string): HTMLElement {
  const bytes = new TextEncoder().encode(text).length.toLocaleString("en");
  const badge = create("span", { className: `status s${String(status).charAt(0)}` }, String(status));
  const note = create("span", { className: "note" }, ` ${statusText} · ${milliseconds} ms · ${bytes} bytes`);
  const hint = status === 401 ? "Sign in first, at the top of the page" : "";
  const alert = create("span", { className: "alert" }, hint);
  return create("div", { className: "bar" }, create("span", {}, badge, note), alert);
}
