/* global SwaggerUIBundle */
const response = await fetch("/openapi.json");
const openApiDocument = await response.json();

const ui = SwaggerUIBundle({
  domNode: document.getElementById("documentation"),
  spec: {
    ...openApiDocument,
    // The Content-Security-Policy allows calls to this deployment only.
    servers: [{ url: location.origin, description: "This deployment" }],
  },
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  responseInterceptor: authorizeAfterLogin,
});

/** A login on the page authorizes its further requests. */
function authorizeAfterLogin(response) {
  if (response.ok && new URL(response.url).pathname === "/auth/login") {
    ui.preauthorizeApiKey("bearer", response.body.access_token);
  }
  return response;
}
