import type { Issuer } from "../../lib/auth/identity-provider.ts";
import type { OpenApiDocument } from "../openapi/model.ts";
import { type Html, html } from "./html.ts";
import { headings, Markdown } from "./markdown.ts";
import { type DocumentedOperation, jsonBlock, methodBadge, OperationRenderer } from "./operation.ts";
import { boundsOf, fieldsOf, join } from "./schema.ts";

/**
 * The OpenAPI document as one page, which can be read without scripts (docs/adr/0020).
 *
 * @returns HTML that refers to its assets as `docs/assets/<name>`
 */
export function documentationPage(document: OpenApiDocument, issuer?: Issuer): string {
  const { info } = document;
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(
      ([method, operation]): DocumentedOperation => ({ ...operation, method: method.toUpperCase(), path }),
    ),
  );
  const markdown = new Markdown(
    new Map(operations.map(({ method, path, operationId }) => [`${method} ${path}`, operationId])),
  );
  const renderer = new OperationRenderer(document, markdown);
  const groups = document.tags.map(({ name, description }) => ({
    name,
    description,
    operations: operations.filter(({ tags }) => tags.includes(name)),
  }));
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${info.title}</title>
<link rel="icon" href="docs/assets/icon.svg">
<link rel="stylesheet" href="docs/assets/page.css">
<script type="module" src="docs/assets/page.js"></script>
</head>
<body>
<a class="skip" href="#start">Skip to the content</a>
<header>
<button type="button" id="menu" popovertarget="sidebar">Menu</button>
<a class="title" href="#start"><img src="docs/assets/icon.svg" alt="" width="26" height="26"> <b>${info.title}</b> <small class="note">${info.version}</small></a>
<a href="openapi.json">openapi.json</a>
<button type="button" id="sign-in" class="primary">Sign in</button>
</header>
<div class="layout">
${sidebar(groups, document)}
<main>
<section id="start" class="text">
<h1>${info.title}</h1>
<p>${info.summary}</p>
<noscript><p>This page needs JavaScript for requests and code samples. Everything else can be read without it.</p></noscript>
${markdown.blocks(info.description)}
</section>
${groups.map(
  ({ name, description, operations }) => html`
<section id="tag-${name}" class="group">
<h2>${name}</h2>
<p>${markdown.inline(description)}</p>
${operations.map((operation) => renderer.render(operation))}
</section>`,
)}
${renderer.commonResponses()}
${schemas(document, markdown)}
${headers(document, markdown)}
</main>
</div>
${signInDialog(issuer)}
</body>
</html>
`.text;
}

function sidebar(
  groups: readonly { readonly name: string; readonly operations: readonly DocumentedOperation[] }[],
  document: OpenApiDocument,
): Html {
  return html`<nav id="sidebar" popover aria-label="Operations">
<input type="search" id="search" placeholder="Search" aria-label="Search operations and schemas" aria-keyshortcuts="/" autocomplete="off">
<p id="no-match" role="status" hidden>Nothing found</p>
<section id="found" hidden><h2>found</h2><ul></ul></section>
<section><h2>start</h2><ul>${headings(document.info.description).map(
    ({ id, title }) => html`
<li><a href="#${id}">${title}</a></li>`,
  )}</ul></section>
${groups.map(
  ({ name, operations }) =>
    html`<section><h2>${name}</h2><ul>${operations.map(
      ({ operationId, method, path, summary }) => html`
<li><a href="#${operationId}" title="${summary}">${methodBadge(method)} <span>${wordsOf(operationId)} <code>${path}</code></span></a></li>`,
    )}</ul></section>`,
)}
<section><h2>schemas</h2><ul>${Object.keys(document.components.schemas).map(
    (name) => html`
<li><a href="#schema-${name}">${name}</a></li>`,
  )}
<li><a href="#responses">Common responses</a></li>
<li><a href="#headers">Response headers</a></li></ul></section>
</nav>`;
}

/** @param operationId such as `listTodos`, which is "List todos" */
function wordsOf(operationId: string): string {
  const words = operationId.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function schemas(document: OpenApiDocument, markdown: Markdown): Html {
  return html`<section id="schemas" class="text"><h2>Schemas</h2>
${Object.entries(document.components.schemas).map(
  ([name, schema]) => html`
<article id="schema-${name}" class="schema"><h3><a href="#schema-${name}">${name}</a></h3>
<p>${schema.description === undefined ? undefined : markdown.inline(`${schema.description}. `)}<span class="type">${join(boundsOf(schema), " · ")}</span></p>
${fieldsOf(schema, markdown)}
${schema.examples?.slice(0, 1).map((example) => jsonBlock(example))}</article>`,
)}
</section>`;
}

function headers(document: OpenApiDocument, markdown: Markdown): Html {
  return html`<section id="headers" class="text"><h2>Response headers</h2>
<ul class="fields">${Object.entries(document.components.headers).map(
    ([name, { description }]) => html`
<li id="header-${name}"><span class="name">${name}</span><p>${markdown.inline(description)}</p></li>`,
  )}</ul>
</section>`;
}

function signInDialog(issuer: Issuer | undefined): Html {
  return html`<dialog id="sign-in-dialog" aria-labelledby="sign-in-title">
<h2 id="sign-in-title">Sign in</h2>
<p>For the operations that need a token or the API key. Both stay in this tab until you close it.</p>
<form id="account-form">
<h3>Account</h3>
<div id="signed-out">
${
  issuer?.login
    ? html`<p>The accounts are those of <a href="${issuer.url}">${issuer.url}</a>.</p>`
    : html`<p><a href="#registerAccount">Register</a> if you have no account.</p>
<label>Username <input name="username" autocomplete="username" required autofocus></label>
<label>Password <input name="password" type="password" autocomplete="current-password" required></label>
<button class="primary">Sign in</button>`
} <span class="alert" id="sign-in-error" role="status"></span>
</div>
<div id="signed-in" hidden>
<p id="account-state" role="status"></p>
<button type="button" id="sign-out">Sign out</button>
</div>
</form>
${
  issuer &&
  html`<form id="token-form">
<h3>Token of ${issuer.url}</h3>
<label>Token <input name="token" autocomplete="off" spellcheck="false" required></label>
<button>Use the token</button>
</form>
`
}<form id="key-form">
<h3>API key</h3>
<label>Key <input name="key" autocomplete="off" spellcheck="false"></label>
<button>Use the key</button> <span id="key-state" role="status"></span>
</form>
<form method="dialog"><button class="close">Close</button></form>
</dialog>`;
}
