/** What a token says of itself. */
interface SignedIn {
  readonly username: string;
  readonly expires: Date;
}

const listeners: (() => void)[] = [];

/** The credentials of this tab: they survive a reload, and other tabs do not see them. */
export const session = {
  /** Undefined once it has expired. */
  get token(): string | undefined {
    return this.signedIn === undefined ? undefined : (sessionStorage.getItem("token") ?? undefined);
  },
  set token(token: string | undefined) {
    store("token", token);
  },
  get apiKey(): string | undefined {
    return sessionStorage.getItem("api-key") ?? undefined;
  },
  set apiKey(key: string | undefined) {
    store("api-key", key);
  },
  get signedIn(): SignedIn | undefined {
    const claims = claimsOf(sessionStorage.getItem("token") ?? "");
    return claims !== undefined && claims.expires.getTime() > Date.now() ? claims : undefined;
  },
  onChange(listener: () => void): void {
    listeners.push(listener);
  },
};

function store(name: string, value: string | undefined): void {
  if (value === undefined) sessionStorage.removeItem(name);
  else sessionStorage.setItem(name, value);
  for (const listener of listeners) listener();
}

/** @returns undefined if the text is no token */
function claimsOf(token: string): SignedIn | undefined {
  const payload = token.split(".")[1];
  if (payload === undefined) return undefined;
  const bytes = atob(payload.replaceAll("-", "+").replaceAll("_", "/"));
  const { sub, exp } = JSON.parse(bytes) as { sub: string; exp: number };
  return { username: sub, expires: new Date(exp * 1000) };
}
