import { type SearchEntry, search } from "../search.ts";
import { find, findAll } from "./elements.ts";

/** On a phone the sidebar is a popover, which a link in it closes. */
export function connectMenu(): void {
  const sidebar = find("#sidebar");
  sidebar.addEventListener("click", ({ target }) => {
    if (target instanceof Element && target.closest("a")) sidebar.hidePopover();
  });
}

/** Searches while somebody types. The slash key leads to the search, and arrow keys through the links. */
export function connectSearch(): void {
  const input = find<HTMLInputElement>("#search");
  const found = find("#found");
  const sections = findAll("#sidebar section:not(#found)");
  let entries: readonly (SearchEntry & { readonly link: Element })[] | undefined;
  input.addEventListener("input", () => {
    const isEmpty = input.value.trim() === "";
    // Their texts are read once, at the first search. Of two equal matches, an operation comes first.
    entries ??= ["[title]", ":not([title])"]
      .flatMap((kind) => findAll<HTMLAnchorElement>(`#sidebar a${kind}`))
      .map(entryOf);
    const matches = isEmpty ? [] : search(entries, input.value);
    find("ul", found).replaceChildren(
      ...matches.map(({ link }) => link.parentElement?.cloneNode(true) ?? ""),
    );
    for (const section of sections) section.hidden = !isEmpty;
    found.hidden = matches.length === 0;
    find("#no-match").hidden = isEmpty || matches.length > 0;
  });
  const shownLinks = () => findAll("#sidebar section:not([hidden]) a");
  find("#sidebar").addEventListener("keydown", (event) => {
    const { key, target } = event;
    if (key === "Enter" && target === input) shownLinks()[0]?.click();
    const step = { ArrowDown: 1, ArrowUp: -1 }[key];
    if (step === undefined) return;
    event.preventDefault();
    const stops = [input, ...shownLinks()];
    stops[stops.indexOf(target as HTMLElement) + step]?.focus();
  });
  addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.ctrlKey || event.metaKey) return;
    if (document.activeElement?.matches("input, textarea")) return;
    event.preventDefault();
    input.focus();
  });
}

function entryOf(link: HTMLAnchorElement): SearchEntry & { readonly link: Element } {
  const textOf = ({ textContent }: Element) => textContent.trim().toLowerCase();
  const target = find(link.hash);
  const text = [textOf(target)];
  // A heading of the start has its text behind it.
  if (target.matches("h2"))
    for (let next = target.nextElementSibling; next && !next.matches("h2"); next = next.nextElementSibling)
      text.push(textOf(next));
  const isOverview = target.matches("h2, #responses, #headers");
  return {
    link,
    title: textOf(link),
    summary: isOverview ? text.join(" ") : `${link.hash} ${link.title}`.toLowerCase(),
    names: findAll(".name, .status, .note a", target).map(textOf),
    text: text.join(" "),
  };
}

export function markCurrent(): void {
  const links = findAll<HTMLAnchorElement>("#sidebar a");
  const mark = () => {
    const isPassed = ({ hash }: HTMLAnchorElement) => find(hash).getBoundingClientRect().top < 100;
    const current = links.findLast(isPassed) ?? links[0];
    if (current?.ariaCurrent) return;
    for (const link of links) link.ariaCurrent = link === current ? "location" : null;
    current?.scrollIntoView({ block: "nearest" });
  };
  addEventListener("scroll", mark);
  mark();
}
