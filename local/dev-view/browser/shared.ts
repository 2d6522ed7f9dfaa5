import { create, find } from "../../../infra/documentation/browser/elements.ts";
import type { OpenApiDocument } from "../../../infra/openapi/model.ts";
import type { Message } from "../model.ts";

let reading: Promise<OpenApiDocument> | undefined;

export function readDocument(): Promise<OpenApiDocument> {
  reading ??= fetch("/openapi.json?for=_dev").then((response) => response.json());
  return reading;
}

/** A row whose detail is made when it is opened. */
export function rowWith(className: string, cells: readonly Node[], detail: () => HTMLElement) {
  const row = create("details", { className: "response" }, create("summary", { className }, ...cells));
  row.addEventListener("toggle", () => {
    if (row.open) row.append(detail());
    else find(".detail", row).remove();
  });
  return row;
}

export const button = (text: string, onclick: () => Promise<unknown>) =>
  create("button", { type: "button", onclick }, text);

export const note = (...text: readonly string[]) => create("p", { className: "note" }, ...text);

/** @returns the text of the response. @throws Error that says why it was refused */
export async function post(path: string, body: BodyInit = ""): Promise<string> {
  const response = await fetch(`/_dev${path}`, { method: "POST", body });
  if (!response.ok) throw new Error(await response.text());
  return await response.text();
}

export const send = (request: Message) => post("/send", JSON.stringify(request));

/** Asks for changes in a dialog. @returns undefined if it was cancelled */
export async function edit(request: Message): Promise<Message | undefined> {
  const head = create("textarea", { value: request.head, rows: 6, ariaLabel: "Request with headers" });
  const body = create("textarea", { value: request.body, rows: 10, ariaLabel: "Body" });
  const about =
    "Hidden values (•••) of headers and the query are sent as they were, or as those of admin and the first API key.";
  const form = create("form", { method: "dialog" }, head, body, note(about));
  form.append(create("button", { value: "send" }, "Send"), " ", create("button", { value: "" }, "Cancel"));
  const dialog = create("dialog", { ariaLabel: "Edit and send" }, form);
  document.body.append(dialog);
  dialog.showModal();
  await new Promise((resolve) => dialog.addEventListener("close", resolve));
  dialog.remove();
  return dialog.returnValue === "send" ? { ...request, head: head.value, body: body.value } : undefined;
}
