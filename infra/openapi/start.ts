import { readFileSync } from "node:fs";
import type { AreaDefinition } from "../../functions/define-area.ts";
import { ADMIN_ROLE, type RoleName, roleNames } from "../../lib/domain/roles.ts";
import type { Route } from "../../lib/http/route.ts";

const conventions = readFileSync(new URL("conventions.md", import.meta.url), "utf8");

/** The document's description, in Markdown: the areas' first steps and access, and what all share. */
export function startText(areas: readonly AreaDefinition[], routes: readonly Route[]): string {
  const keys = new Set(routes.map(({ key }) => key));
  const isPossible = (step: string) =>
    [...step.matchAll(/`([A-Z]+ \/[^`]*)`/g)].every(([, key = ""]) => keys.has(key));
  const steps = areas.flatMap(({ firstSteps = [] }) => firstSteps.filter(isPossible));
  const access = [...accessRules(routes), ...areas.flatMap(({ accessNote = [] }) => accessNote)];
  return `## First steps

Try each step on this page: fill in the form of the operation and press **Send request**.

${steps.map((step, index) => `${index + 1}. ${step}\n`).join("")}
## Who may do what

Operations that are not listed here are public.

${access.map((rule) => `- ${rule}\n`).join("")}
${conventions}`;
}

export type Credential = "public" | "bearer" | "apiKey" | RoleName;

/** What a route needs of its callers, as it and its guard declare it: the role, if they need one. */
export function credentialOf({ authorizer, guard }: Route): Credential {
  if (!guard && (authorizer === undefined || authorizer.isOptional)) return "public";
  const { scheme, role } = { scheme: "bearer" as const, role: undefined, ...authorizer, ...guard };
  return role ?? scheme;
}

export function ownerOfToken(role: RoleName): string {
  return role === ADMIN_ROLE
    ? "an administrator"
    : `an account with the role \`${role}\`, or an administrator`;
}

/** Who may call which routes, as these declare it: a sentence for each kind of credential. */
export function accessRules(routes: readonly Route[]): string[] {
  const issued = Map.groupBy(
    routes.filter((route) => credentialOf(route) === "apiKey"),
    ({ authorizer }) => authorizer?.issuedBy?.route,
  );
  const kinds = Map.groupBy(routes, credentialOf);
  const named = (all: readonly Route[] = []) => all.map(({ key }) => `\`${key}\``).join(", ");
  const closed = new Set(
    (["bearer", ...roleNames] as const).flatMap((kind) => kinds.get(kind) ?? []).map(({ tag }) => tag),
  );
  const open = (kinds.get("public") ?? []).filter(({ method, tag }) => method !== "GET" && !closed.has(tag));
  const keys = [...issued].map(([route, all]) => [
    route
      ? `With a key in \`X-API-Key\`, which \`${route}\` returns`
      : "With a static key in the header `X-API-Key`",
    named(all),
  ]);
  const rules = {
    "Public, to read and to change": [...new Set(open.map(({ tag }) => tag))].join(", "),
    "With a token in `Authorization: Bearer <access_token>`": named(kinds.get("bearer")),
    ...Object.fromEntries(
      roleNames.map((role) => [`With the token of ${ownerOfToken(role)}`, named(kinds.get(role))]),
    ),
    ...Object.fromEntries(keys),
  };
  return Object.entries(rules).flatMap(([who, what]) => (what === "" ? [] : [`**${who}:** ${what}`]));
}
