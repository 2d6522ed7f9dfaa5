import { Marked, type RendererObject } from "marked";
import { Html, html } from "./html.ts";

/** Turns the document's Markdown into HTML, in which code such as `GET /todos` links to the operation. */
export class Markdown {
  readonly #marked: Marked;

  /** @param anchors by the code to link, such as `GET /todos` */
  constructor(anchors: ReadonlyMap<string, string>) {
    const renderer: RendererObject = {
      codespan: ({ text }) => {
        const anchor = anchors.get(text);
        const code = html`<code>${text}</code>`;
        return (anchor ? html`<a href="#${anchor}">${code}</a>` : code).text;
      },
      heading: ({ text, depth }) => html`<h${depth} id="${headingId(text)}">${text}</h${depth}>\n`.text,
    };
    this.#marked = new Marked({ renderer });
  }

  blocks(text: string): Html {
    return new Html(this.#marked.parse(text, { async: false }));
  }

  inline(text: string): Html {
    return new Html(this.#marked.parseInline(text, { async: false }));
  }
}

export function headings(text: string): { readonly id: string; readonly title: string }[] {
  return [...text.matchAll(/^## (.+)$/gm)].map(([, title = ""]) => ({ id: headingId(title), title }));
}

function headingId(title: string): string {
  return title.toLowerCase().replaceAll(/\W+/g, "-");
}
