import { find, findAll } from "./elements.ts";

/** On a phone a button shows the sidebar, and a link in it hides it again. */
export function connectMenu(): void {
  const button = find("#menu");
  const sidebar = find("#sidebar");
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

/**
 * Lists what contains every word, the best matches first: parameters, fields, headers, statuses and descriptions count too.
 * The slash key leads to the search.
 */
export function connectSearch(): void {
  const input = find<HTMLInputElement>("#search");
  const found = find("#found");
  const sections = findAll("#sidebar section:not(#found)");
  let links: readonly { item: Element; scoreOf: (word: string) => number }[] | undefined;
  input.addEventListener("input", () => {
    links ??= findAll<HTMLAnchorElement>("#sidebar section:not(#found) a").map((link) => ({
      item: link.closest("li") ?? link,
      scoreOf: scorer(link),
    }));
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    const matches = links
      .map(({ item, scoreOf }) => ({ item, scores: words.map(scoreOf) }))
      .filter(({ scores }) => scores.length > 0 && !scores.includes(0))
      .map(({ item, scores }) => ({ item, score: scores.reduce((sum, score) => sum + score, 0) }))
      .sort((a, b) => b.score - a.score);
    find("ul", found).replaceChildren(...matches.map(({ item }) => item.cloneNode(true)));
    for (const section of sections) section.hidden = words.length > 0;
    found.hidden = matches.length === 0;
    find("#no-match").hidden = words.length === 0 || matches.length > 0;
  });
  input.addEventListener("keydown", ({ key }) => {
    if (key === "Enter") find("#sidebar section:not([hidden]) a").click();
  });
  addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.ctrlKey || event.metaKey) return;
    if (document.activeElement?.matches("input, textarea, select")) return;
    event.preventDefault();
    input.focus();
  });
}

/** What a word is worth: most in the link, then in its summary, as a name in what it leads to, and anywhere there. */
function scorer(link: HTMLAnchorElement): (word: string) => number {
  const textOf = (element: Element | null) => (element?.textContent ?? "").trim().toLowerCase();
  const target = document.getElementById(link.hash.slice(1));
  const [title, text, summary] = [textOf(link), textOf(target), (link.dataset.text ?? "").toLowerCase()];
  const names = findAll(".name, .status, .note a", target ?? link).map(textOf);
  return (word) =>
    (title.includes(word) ? 100 : 0) +
    (summary.includes(word) ? 30 : 0) +
    (names.includes(word) ? 10 : 0) +
    (text.includes(word) ? 1 : 0);
}

/** Marks the link to what is being read, and keeps it in sight. */
export function markCurrent(): void {
  const links = new Map(
    findAll<HTMLAnchorElement>("#sidebar a").map((link) => [link.hash.slice(1), link] as const),
  );
  const visible = new Set<string>();
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        if (isIntersecting) visible.add(target.id);
        else visible.delete(target.id);
      }
      const current = [...links.keys()].find((id) => visible.has(id));
      if (current === undefined) return;
      for (const [id, link] of links) link.ariaCurrent = id === current ? "location" : null;
      links.get(current)?.scrollIntoView({ block: "nearest" });
    },
    // The part below the header that people read first.
    { rootMargin: "-80px 0px -60% 0px" },
  );
  for (const element of findAll("[id]", find("main"))) if (links.has(element.id)) observer.observe(element);
}
