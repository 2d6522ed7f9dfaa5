import { readFileSync } from "node:fs";
import { definitions } from "../../functions/definitions.ts";
import { prepare, shownContext } from "../../functions/example-requests.ts";
import type { Route } from "../../lib/http/route.ts";
import type { OpenApiDocument } from "../openapi/model.ts";
import { accessRules } from "../openapi/start.ts";

const conventions = readFileSync(new URL("llms.txt", import.meta.url), "utf8");

/** The overview for language models (https://llmstxt.org), with a section for each tag of the document. */
export function llmsText({ info, tags, paths }: OpenApiDocument, routes: readonly Route[]): string {
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      key: `${method.toUpperCase()} ${path}`,
      ...operation,
    })),
  );
  const sections = tags.map(({ name, description }) => {
    const links = operations
      .filter((operation) => operation.tags.includes(name))
      .map(({ key, operationId, summary }) => `- [${key}](docs#${operationId}): ${summary}\n`);
    return `\n## ${name}: ${description}\n\n${links.join("")}`;
  });
  const calls = Object.values(definitions)
    .flatMap(({ firstCalls = [] }) => firstCalls)
    .filter((call) => operations.some(({ key }) => key === call))
    .map(curl);
  return `# ${info.title}

> ${info.summary}

First calls:

${calls.join("")}
${accessRules(routes)
  .map((rule) => `${rule}\n`)
  .join("")}
${conventions}${sections.join("")}`;
}

function curl(key: string): string {
  const { target, body } = prepare(key, shownContext);
  return `    curl "$URL${target}"${body === undefined ? "" : ` -d '${JSON.stringify(body)}'`}\n`;
}
