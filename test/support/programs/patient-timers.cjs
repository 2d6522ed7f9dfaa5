// Loaded by the functions of local runs whose calls must not time out on a busy machine: repeated calls may have
// other results, and the last one is a 503.
const { setTimeout } = globalThis;
globalThis.setTimeout = (callback, milliseconds, ...values) =>
  setTimeout(callback, milliseconds >= 1_000 ? 600_000 : milliseconds, ...values);
