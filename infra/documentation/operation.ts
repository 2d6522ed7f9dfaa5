import { PROBLEM_MEDIA_TYPE } from "../../lib/http/errors.ts";
import { referencedName } from "../openapi/json-schema.ts";
import type {
  Content,
  JsonSchema,
  OpenApiDocument,
  Operation,
  Parameter,
  Reference,
  RequestBody,
  Response,
} from "../openapi/model.ts";
import { languages, type Scheme } from "./code-sample.ts";
import { Html, html } from "./html.ts";
import { jsonTokens } from "./json-tokens.ts";
import type { Markdown } from "./markdown.ts";
import { resolveSchema } from "./resolve-schema.ts";
import { examplesOf, fieldsOf, join, requiredMark, summaryOf } from "./schema.ts";

export interface DocumentedOperation extends Operation {
  /** In upper case. */
  readonly method: string;
  readonly path: string;
}

const schemeNotes: Readonly<Record<Scheme, string>> = {
  bearer: "needs a token",
  apiKey: "needs the API key",
};

/** Renders operations: what they do, a form to try them, and code samples. */
export class OperationRenderer {
  readonly #document: OpenApiDocument;
  readonly #markdown: Markdown;

  constructor(document: OpenApiDocument, markdown: Markdown) {
    this.#document = document;
    this.#markdown = markdown;
  }

  render(operation: DocumentedOperation): Html {
    const { operationId: id, method, path, summary, description, requestBody } = operation;
    const parameters = operation.parameters ?? [];
    const scheme = Object.keys(operation.security[0] ?? {})[0] as Scheme | undefined;
    return html`
<form class="operation" id="${id}" data-method="${method}" data-path="${path}"
  data-scheme="${scheme}" data-returns-json="${String(this.#returnsJson(operation))}">
<div class="about">
<h3><a href="#${id}">${this.#markdown.inline(summary)}</a></h3>
<p>${methodBadge(method)} <code>${path}</code>${scheme && html` <span class="alert">${schemeNotes[scheme]}</span>`} <button type="button" class="plain copy-link">Copy link</button></p>
${this.#markdown.blocks(description)}
${parameters.length > 0 ? this.#parameters(id, parameters) : undefined}
${requestBody && this.#body(id, requestBody)}
<h4>Responses</h4>
${this.#responses(operation)}
</div>
<div class="try">
${this.#samplePanel()}
${this.#responsePanel(operation)}
</div>
</form>`;
  }

  #parameters(id: string, parameters: readonly Parameter[]): Html {
    return html`<h4>Parameters</h4>
<ul class="fields">${parameters.map((parameter) => {
      const { name, in: place, required, description } = parameter;
      const field = `${id}-${place}-${name}`;
      // Browsers set `accept-encoding` themselves.
      return html`
<li><label class="name" for="${field}">${name}</label>${requiredMark(required)} <span class="note">${place} ·</span>
${summaryOf(parameter.schema, resolveSchema(this.#document, parameter.schema))}<p>${this.#markdown.inline(description)}</p>
${name === "accept-encoding" ? undefined : this.#input(field, parameter)}</li>`;
    })}</ul>`;
  }

  /** Without the attribute `name`: an input named "id" would hide the form's own property. */
  #input(id: string, parameter: Parameter): Html {
    const { name, in: place, schema } = parameter;
    const resolved = resolveSchema(this.#document, schema);
    const value = parameterValue(parameter, resolved);
    const type = resolved.format === "password" ? "password" : "text";
    return html`<input type="${type}" id="${id}" data-name="${name}" data-in="${place}" data-type="${[resolved.type].flat()[0]}" value="${value}"${place === "path" ? html` required` : undefined} autocomplete="off" spellcheck="false">`;
  }

  #body(id: string, { content, description, required }: RequestBody): Html {
    const json = this.#exampleBody(content);
    const schema = content["application/json"]?.schema ?? {};
    const resolved = resolveSchema(this.#document, schema);
    return html`<h4><label for="${id}-body">Body</label>${requiredMark(required)} ${summaryOf(schema, resolved)}</h4>
${description === undefined ? undefined : html`<p>${this.#markdown.inline(description)}</p>`}
<textarea id="${id}-body" class="body" rows="${json.split("\n").length}" spellcheck="false">${json}</textarea>
${fieldsOf(resolveSchema(this.#document, resolved.items ?? resolved), this.#markdown)}`;
  }

  #responses({ responses }: Operation): Html {
    const own: Html[] = [];
    const common: Html[] = [];
    for (const [status, response] of Object.entries(responses)) {
      if ("$ref" in response)
        common.push(html`<a href="#response-${referencedName(response.$ref)}">${status}</a>`);
      else
        own.push(html`<details class="response"><summary>${this.#title(status, response)}</summary>
${this.#content(response)}</details>`);
    }
    return html`${own}
<p class="response note">Common responses: ${join(common, ", ")}</p>`;
  }

  /** Those that many operations have: with one text, and a body in the format of each area. */
  commonResponses(): Html {
    // Requests that match no operation have responses whose names do not start with a status.
    const named = Object.entries(this.#document.components.responses).filter(([name]) => /^\d/.test(name));
    const groups = Map.groupBy(named, ([name, response]) => this.#title(name.slice(0, 3), response).text);
    return html`<section id="responses" class="text"><h2>Common responses</h2>
${[...groups].map(
  ([title, all]) => html`<article class="schema"><h3>${new Html(title)}</h3>
${all.map(([name, response]) => html`<div id="response-${name}">${this.#content(response)}</div>`)}</article>`,
)}
</section>`;
  }

  #title(status: string, { description }: Response): Html {
    return html`${statusBadge(status)} ${this.#markdown.inline(description)}`;
  }

  #content({ headers, content = {} }: Response): Html {
    // The page's introduction says once that every error has problem details.
    const media = Object.entries(content).filter(([type]) => type !== PROBLEM_MEDIA_TYPE);
    return html`${media.map(
      ([type, each]) => html`<p><code>${type}</code> ${summaryOf(each.schema)}</p>
${fieldsOf(each.schema, this.#markdown)}
${examplesOf(each).map((example) => jsonBlock(example))}`,
    )}
${headers && html`<p class="note">Headers: ${join(Object.values(headers).map(headerLink), ", ")}</p>`}`;
  }

  /** The page's script writes the code, for its own origin and what stands in the form. */
  #samplePanel(): Html {
    return html`<div class="panel sample">
<div class="bar"><div role="group" aria-label="Language">${Object.entries(languages).map(
      ([language, { title }]) =>
        html`<button type="button" class="plain" data-language="${language}">${title}</button>`,
    )}</div><button type="button" class="plain copy" aria-label="Copy the code">Copy</button></div>
<pre tabindex="0" role="group"><code></code></pre>
<div class="bar"><span class="alert sending" role="status"></span>
<button class="send primary">Send request</button></div></div>`;
  }

  #responsePanel(operation: DocumentedOperation): Html {
    const { status, content } = this.#firstResponse(operation);
    const examples = Object.values(content ?? {}).flatMap((media) => examplesOf(media));
    return html`<div class="panel result" aria-live="polite">
<div class="bar"><span>${statusBadge(status)} <span class="note">example of a response</span></span></div>
${examples.length > 0 ? jsonBlock(examples[0]) : html`<pre><code>${content ? "…" : "(empty)"}</code></pre>`}</div>`;
  }

  #exampleBody(content: Content): string {
    const media = content["application/json"];
    return JSON.stringify(media && examplesOf(media)[0], undefined, 2) ?? "";
  }

  #returnsJson(operation: Operation): boolean {
    return "application/json" in (this.#firstResponse(operation).content ?? {});
  }

  /** The success, or an error of an operation that always fails: numeric keys are in ascending order. */
  #firstResponse({ responses }: Operation) {
    const [[status, response] = ["", { description: "" }]] = Object.entries(responses);
    return { status, content: "$ref" in response ? undefined : response.content };
  }
}

export function methodBadge(method: string): Html {
  return html`<span class="method ${method.toLowerCase()}">${method}</span>`;
}

/** Coloured JSON. It scrolls, so the keyboard has to reach it. */
export function jsonBlock(value: unknown): Html {
  const text = typeof value === "string" ? value : JSON.stringify(value, undefined, 2);
  const tokens = jsonTokens(text).map(({ text, kind }) =>
    kind === undefined ? html`${text}` : html`<span class="json-${kind}">${text}</span>`,
  );
  return html`<pre tabindex="0" role="group" aria-label="Example"><code>${tokens}</code></pre>`;
}

function headerLink(reference: Reference): Html {
  const name = referencedName(reference.$ref);
  return html`<a href="#header-${name}">${name}</a>`;
}

function statusBadge(status: string): Html {
  return html`<span class="status s${status.charAt(0)}">${status}</span>`;
}

/** What stands in a form at first: an example, and all that is required. */
function parameterValue({ required, example }: Parameter, schema: JsonSchema): string {
  if (example !== undefined) return String(example);
  return required ? String(schema.enum?.[0] ?? schema.examples?.[0] ?? "") : "";
}
