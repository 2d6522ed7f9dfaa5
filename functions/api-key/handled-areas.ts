/* Areas without a function, whose routes that of api-key handles. Each is a line, so that `npm run remove` takes it. */
export * as versions from "../versions/routes.ts";
