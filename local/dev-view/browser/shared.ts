import { create, find, findAll } from "../../../infra/documentation/browser/elements.ts";
import type { OpenApiDocument } from "../../../infra/openapi/model.ts";
import type { Message } from "../model.ts";

export const openApi: Promise<OpenApiDocument> = fetch("/openapi.json?for=_dev").then((response) =>
  response.json(),
);

/** Shows what a button is about beside the rows; a second time it moves the focus there. */
export function openPane(opener: HTMLElement, content: () => readonly Node[]): void {
  if (opener.ariaCurrent === "true") find(".pane").focus();
  else {
    closePane();
    opener.ariaCurrent = "true";
    opener.focus();
    find("main").className = "split";
    find(".pane").replaceChildren(button("Close", closePane, "plain close"), ...content());
  }
}

export function closePane(): void {
  const [opener] = findAll("[aria-current]");
  opener?.removeAttribute("aria-current");
  find("main").className = "";
  find(".pane").replaceChildren();
  opener?.focus();
}

export const button = (text: string, onclick: (event: Event) => unknown, className = "") =>
  create("button", { type: "button", onclick, className }, text);

export const heading = (text: string) => create("h2", {}, text);

export const note = (text: string) => create("p", { className: "note" }, text);

/** @returns the text of the response. @throws Error that says why it was refused */
export async function post(path: string, body: BodyInit = ""): Promise<string> {
  const response = await fetch(`/_dev${path}`, { method: "POST", body });
  if (!response.ok) throw new Error(await response.text());
  return await response.text();
}

export const send = (request: Message) => post("/send", JSON.stringify(request));
