import { find, findAll } from "./elements.ts";

/** On a phone a button shows the sidebar, and a link in it hides it again. */
export function connectMenu(button: HTMLElement, sidebar: HTMLElement): void {
  const show = (isOpen: boolean) => {
    sidebar.classList.toggle("open", isOpen);
    button.ariaExpanded = String(isOpen);
  };
  button.addEventListener("click", () => show(button.ariaExpanded !== "true"));
  sidebar.addEventListener("click", ({ target }) => {
    if (target instanceof Element && target.closest("a")) show(false);
  });
  addEventListener("keydown", ({ key }) => {
    if (key === "Escape") show(false);
  });
}

/** What a word is worth, by where it stands: in a link, in its summary, as a name on what it leads to, or anywhere there. */
const scores = { link: 100, summary: 30, name: 10, text: 1 };

/**
 * Lists what contains every word, the best matches first: parameters, fields, headers, statuses and descriptions count too.
 * The slash key leads to the search.
 */
export function connectSearch(
  search: HTMLElement,
  sidebar: HTMLElement,
  found: HTMLElement,
  noMatch: HTMLElement,
): void {
  const input = search as HTMLInputElement;
  const sections = findAll("section", sidebar).filter((section) => section !== found);
  const links = sections.flatMap((section) => findAll<HTMLAnchorElement>("a", section));
  let pages: readonly Searched[] | undefined;
  input.addEventListener("input", () => {
    pages ??= links.map(searchedOf);
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    const isSearching = words.length > 0;
    const matches = pages
      .map((page) => ({ item: page.item, score: scoreOf(page, words) }))
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score);
    find("ul", found).replaceChildren(
      ...(isSearching ? matches.map(({ item }) => item.cloneNode(true)) : []),
    );
    for (const section of sections) section.hidden = isSearching;
    found.hidden = matches.length === 0 || !isSearching;
    noMatch.hidden = matches.length > 0 || !isSearching;
  });
  input.addEventListener("keydown", ({ key }) => {
    if (key === "Enter") find<HTMLAnchorElement>("a", found.hidden ? sidebar : found).click();
  });
  addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.ctrlKey || event.metaKey) return;
    if (document.activeElement?.matches("input, textarea, select")) return;
    event.preventDefault();
    input.focus();
  });
}

/** An item of the sidebar, and the texts behind its link. */
interface Searched {
  readonly item: Element;
  readonly link: string;
  readonly summary: string;
  /** Parameters, fields, headers and statuses. */
  readonly names: ReadonlySet<string>;
  readonly text: string;
}

function searchedOf(link: HTMLAnchorElement): Searched {
  const target = document.getElementById(link.hash.slice(1));
  const names = target === null ? [] : findAll(".name, .status, .note a", target);
  return {
    item: link.closest("li") ?? link,
    link: (link.textContent ?? "").toLowerCase(),
    summary: (link.dataset.text ?? "").toLowerCase(),
    names: new Set(names.map(({ textContent }) => (textContent ?? "").trim().toLowerCase())),
    text: (target?.textContent ?? "").toLowerCase(),
  };
}

/** @returns 0 unless every word is there */
function scoreOf({ link, summary, names, text }: Searched, words: readonly string[]): number {
  const each = words.map(
    (word) =>
      (link.includes(word) ? scores.link : 0) +
      (summary.includes(word) ? scores.summary : 0) +
      (names.has(word) ? scores.name : 0) +
      (text.includes(word) ? scores.text : 0),
  );
  return each.includes(0) ? 0 : each.reduce((sum, score) => sum + score, 0);
}

/** Marks the link to what is being read, and keeps it in sight. */
export function markCurrent(sidebar: HTMLElement): void {
  const links = new Map(
    findAll<HTMLAnchorElement>("a", sidebar).map((link) => [link.hash.slice(1), link] as const),
  );
  const visible = new Set<Element>();
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        if (isIntersecting) visible.add(target);
        else visible.delete(target);
      }
      const [current] = [...visible].sort(
        (a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top,
      );
      if (!current) return;
      for (const [id, link] of links) link.ariaCurrent = id === current.id ? "location" : null;
      scrollInto(sidebar, links.get(current.id));
    },
    // The part below the header that people read first.
    { rootMargin: "-80px 0px -60% 0px" },
  );
  for (const id of links.keys()) {
    const element = document.getElementById(id);
    if (element) observer.observe(element);
  }
}

/** Scrolls the sidebar alone: `scrollIntoView` would scroll the page, too. */
function scrollInto(sidebar: HTMLElement, link: HTMLElement | undefined): void {
  if (link === undefined) return;
  const { top, bottom } = link.getBoundingClientRect();
  const frame = sidebar.getBoundingClientRect();
  if (top < frame.top || bottom > frame.bottom) sidebar.scrollTop += top - frame.top - frame.height / 2;
}
