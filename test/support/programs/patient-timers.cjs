// Loaded by the functions of local runs whose calls must not time out on a busy machine: repeated calls may have
// other results, and the last one is a 503.
const { requestClientConfig } = require("../../../lib/aws.ts");

const { setTimeout } = globalThis;
const timeouts = new Set(Object.values(requestClientConfig.requestHandler));
globalThis.setTimeout = (callback, milliseconds, ...values) =>
  setTimeout(callback, timeouts.has(milliseconds) ? 600_000 : milliseconds, ...values);
