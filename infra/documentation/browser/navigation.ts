import { find, findAll } from "./elements.ts";

/** On a phone the sidebar is a popover, which a link in it closes. */
export function connectMenu(): void {
  const sidebar = find("#sidebar");
  sidebar.addEventListener("click", ({ target }) => {
    if (target instanceof Element && target.closest("a")) sidebar.hidePopover();
  });
}

/** Lists what contains every word, the best matches first. The slash key leads to the search. */
export function connectSearch(): void {
  const input = find<HTMLInputElement>("#search");
  const found = find("#found");
  const sections = findAll("#sidebar section:not(#found)");
  let links: readonly { link: Element; scoreOf: (words: readonly string[]) => number }[] | undefined;
  input.addEventListener("input", () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    // Their texts are read once, at the first search.
    links ??= sections
      .flatMap((section) => findAll<HTMLAnchorElement>("a", section))
      .map((link) => ({ link, scoreOf: scorer(link) }));
    const matches = links
      .map(({ link, scoreOf }) => ({ link, score: scoreOf(words) }))
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score);
    find("ul", found).replaceChildren(
      ...matches.map(({ link }) => link.parentElement?.cloneNode(true) ?? ""),
    );
    for (const section of sections) section.hidden = words.length > 0;
    found.hidden = matches.length === 0;
    find("#no-match").hidden = words.length === 0 || matches.length > 0;
  });
  input.addEventListener("keydown", ({ key }) => {
    if (key === "Enter") find("#sidebar section:not([hidden]) a").click();
  });
  addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.ctrlKey || event.metaKey) return;
    if (document.activeElement?.matches("input, textarea")) return;
    event.preventDefault();
    input.focus();
  });
}

/** Words count most in the link, then in its summary, as a name in its target, and anywhere there; else 0. */
function scorer(link: HTMLAnchorElement): (words: readonly string[]) => number {
  const textOf = ({ textContent }: Element) => textContent.trim().toLowerCase();
  const target = find(link.hash);
  const [title, text, summary] = [textOf(link), textOf(target), link.dataset.text?.toLowerCase()];
  const names = findAll(".name, .status, .note a", target).map(textOf);
  const scoreOfWord = (word: string) =>
    (title.includes(word) ? 100 : 0) +
    (summary?.includes(word) ? 30 : 0) +
    (names.includes(word) ? 10 : 0) +
    (text.includes(word) ? 1 : 0);
  return (words) => {
    const scores = words.map(scoreOfWord);
    return scores.includes(0) ? 0 : scores.reduce((sum, score) => sum + score, 0);
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
