/* global SwaggerUIBundle */
const response = await fetch("/openapi.json");
const openApiDocument = await response.json();

const ui = SwaggerUIBundle({
  domNode: document.getElementById("documentation"),
  spec: {
    ...openApiDocument,
    // The page may call nothing but the deployment that it comes from (its Content-Security-Policy).
    servers: [{ url: location.origin, description: "This deployment" }],
  },
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  responseInterceptor: authorizeAfterLogin,
});

/** Whoever logs in on the page is authorized on it from then on. */
function authorizeAfterLogin(answer) {
  if (answer.ok && new URL(answer.url).pathname === "/auth/login") {
    ui.preauthorizeApiKey("bearer", answer.body.access_token);
  }
  return answer;
}
