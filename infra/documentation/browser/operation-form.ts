import { credentialHeaders } from "../code-sample.ts";
import { parseJson } from "../parse-json.ts";
import { codeBlock, create, find, findAll } from "./elements.ts";
import { requestOf } from "./form-values.ts";
import { session } from "./session.ts";

/** Megabytes of coloured text would make the page slow. */
const shownCharacters = 50_000;

/** Sends what stands in the form, with the credentials that the operation needs, and shows the response. */
export function connectOperation(form: HTMLFormElement): void {
  const status = find(".sending", form);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const missing = findAll<HTMLInputElement>('[data-in="path"]', form).find(({ value }) => value === "");
    if (missing) {
      status.textContent = `${missing.name} is required`;
      missing.focus();
      return;
    }
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
  const value = credentials && { bearer: session.token, apiKey: session.apiKey }[credentials];
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
  if (response.ok && form.id === "logIn" && isToken(json)) session.token = json.access_token;
  showResponse(form, response, milliseconds, text, json);
}

function showResponse(
  form: HTMLFormElement,
  response: Response,
  milliseconds: number,
  text: string,
  json: unknown,
): void {
  const { status, statusText } = response;
  const bytes = new TextEncoder().encode(text).length;
  const shown = json === undefined ? text : JSON.stringify(json, undefined, 2);
  const headers = [...response.headers].map(([name, value]) => `${name}: ${value}`).join("\n");
  const badge = create("span", { className: `status s${String(status).charAt(0)}` }, String(status));
  const note = ` ${statusText} · ${milliseconds} ms · ${bytes.toLocaleString("en")} bytes`;
  find(".result", form).replaceChildren(
    create(
      "div",
      { className: "bar" },
      create("span", {}, badge, create("span", { className: "note" }, note)),
    ),
    ...(status === 401
      ? [create("p", { className: "hint" }, "Sign in first: the button is at the top of the page.")]
      : []),
    codeBlock(shorten(shown) || "(empty)", "Response", json !== undefined),
    create("details", {}, create("summary", {}, "Headers"), codeBlock(headers, "Headers", false)),
  );
}

function shorten(text: string): string {
  return text.length > shownCharacters ? `${text.slice(0, shownCharacters)}\n… (shortened)` : text;
}

function isToken(body: unknown): body is { readonly access_token: string } {
  return typeof body === "object" && body !== null && "access_token" in body;
}
