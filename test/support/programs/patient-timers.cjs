// For local runs on busy machines: a call that times out is repeated, and may have another result or end with a 503.
const { requestClientConfig } = require("../../../lib/aws.ts");

const { setTimeout } = globalThis;
const timeouts = new Set(Object.values(requestClientConfig.requestHandler));
globalThis.setTimeout = (callback, milliseconds, ...values) =>
  setTimeout(callback, timeouts.has(milliseconds) ? 600_000 : milliseconds, ...values);
