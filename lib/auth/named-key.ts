/** An entry of the API keys that has a name, for log lines. */
export const NAMED_KEY = /^(?<name>[a-z][a-z\d-]{0,31}):(?<key>.+)$/s;
