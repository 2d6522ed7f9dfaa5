import { readFileSync } from "node:fs";
import type { OpenApiDocument } from "../openapi/model.ts";

/** The overview for language models (https://llmstxt.org): llms.txt, and a section for each tag of the document. */
export function llmsText({ tags, paths }: OpenApiDocument): string {
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      key: `${method.toUpperCase()} ${path}`,
      ...operation,
    })),
  );
  const sections = tags.map(({ name, description }) => {
    const links = operations
      .filter((operation) => operation.tags.includes(name))
      .map(({ key, operationId, summary }) => `- [${key}](/docs#${operationId}): ${summary}\n`);
    return `\n## ${name}: ${description}\n\n${links.join("")}`;
  });
  return readFileSync(new URL("llms.txt", import.meta.url), "utf8") + sections.join("");
}
