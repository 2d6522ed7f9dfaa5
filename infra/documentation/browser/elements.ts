import { jsonTokens } from "../json-tokens.ts";

/** @throws Error if the page has no such element */
export function find<T extends Element = HTMLElement>(selector: string, within: ParentNode = document): T {
  const element = within.querySelector<T>(selector);
  if (element === null) throw new Error(`The page has no ${selector}`);
  return element;
}

export function findAll<T extends Element = HTMLElement>(
  selector: string,
  within: ParentNode = document,
): readonly T[] {
  return [...within.querySelectorAll<T>(selector)];
}

export function create<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  properties: Partial<HTMLElementTagNameMap[K]>,
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}

/** A block of text that scrolls and that the keyboard reaches; JSON is coloured. */
export function codeBlock(text: string, label: string, isJson: boolean): HTMLPreElement {
  const parts = isJson
    ? jsonTokens(text).map(({ text, kind }) =>
        kind === undefined ? text : create("span", { className: `json-${kind}` }, text),
      )
    : [text];
  return create("pre", { tabIndex: 0, role: "group", ariaLabel: label }, create("code", {}, ...parts));
}
