import type { Issuer } from "../../lib/auth/identity-provider.ts";
import type { OpenApiDocument } from "./model.ts";

/** The document of a deployment that accepts tokens of an identity provider, or no others. */
export function withIssuer(document: OpenApiDocument, issuer: Issuer | undefined): OpenApiDocument {
  if (issuer === undefined) return document;
  const { info, components, paths } = document;
  const { securitySchemes: schemes } = components;
  const description = `A token of ${issuer.url} for the audience \`${issuer.audience}\``;
  const own = issuer.login ? "" : `. ${schemes.bearer?.description}`;
  const openIdConnectUrl = `${issuer.url.replace(/\/$/, "")}/.well-known/openid-configuration`;
  const inText = `${description} signs in, as \`Authorization: Bearer <token>\`.\n\n${info.description}`;
  return {
    ...document,
    info: { ...info, description: inText },
    paths: JSON.parse(
      JSON.stringify(paths).replaceAll('{"bearer":[]}', '{"bearer":[]},{"openIdConnect":[]}'),
    ),
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
