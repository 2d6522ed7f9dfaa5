import type { Issuer } from "../../lib/auth/identity-provider.ts";
import type { OpenApiDocument, Operation } from "./model.ts";

/** The document of a deployment that accepts tokens of an identity provider, or no others. */
export function withIssuer(document: OpenApiDocument, issuer: Issuer | undefined): OpenApiDocument {
  if (issuer === undefined) return document;
  const { info, components } = document;
  const { securitySchemes: schemes } = components;
  const description = `A token of ${issuer.url} for the audience \`${issuer.audience}\``;
  const own = issuer.login ? "" : `. ${schemes.bearer?.description}`;
  const openIdConnectUrl = `${issuer.url.replace(/\/$/, "")}/.well-known/openid-configuration`;
  const withOpenIdConnect = (operation: Operation): Operation => ({
    ...operation,
    security: operation.security.flatMap((each) =>
      "bearer" in each ? [each, { openIdConnect: [] }] : [each],
    ),
  });
  const pathsOf = Object.entries(document.paths).map(([path, item]) => [
    path,
    Object.fromEntries(Object.entries(item).map(([method, each]) => [method, withOpenIdConnect(each)])),
  ]);
  return {
    ...document,
    info: {
      ...info,
      description: `${description} signs in, as \`Authorization: Bearer <token>\`.\n\n${info.description}`,
    },
    paths: Object.fromEntries(pathsOf),
    components: {
      ...components,
      securitySchemes: {
        ...schemes,
        bearer: { type: "http", ...schemes.bearer, description: description + own },
        openIdConnect: { type: "openIdConnect", description, openIdConnectUrl },
      },
    },
  };
}
