import { findAll } from "./elements.ts";

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

/** Hides what does not contain every word. The slash key leads to the search. */
export function connectSearch(search: HTMLElement, sidebar: HTMLElement, noMatch: HTMLElement): void {
  const input = search as HTMLInputElement;
  const links = findAll<HTMLAnchorElement>("a", sidebar);
  const texts = new Map(
    links.map((link) => [link, `${link.textContent} ${link.dataset.text ?? ""}`.toLowerCase()]),
  );
  input.addEventListener("input", () => {
    const words = input.value.toLowerCase().split(/\s+/);
    for (const [link, text] of texts) {
      const item = link.closest("li");
      if (item) item.hidden = !words.every((word) => text.includes(word));
    }
    const sections = findAll("section", sidebar);
    for (const section of sections) section.hidden = section.querySelector("li:not([hidden])") === null;
    noMatch.hidden = sections.some(({ hidden }) => !hidden);
  });
  input.addEventListener("keydown", ({ key }) => {
    if (key === "Enter") links.find((link) => link.checkVisibility())?.click();
  });
  addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.ctrlKey || event.metaKey) return;
    if (document.activeElement?.matches("input, textarea, select")) return;
    event.preventDefault();
    input.focus();
  });
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
