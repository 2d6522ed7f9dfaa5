import type { Scheme } from "../code-sample.ts";

/** The credentials of this tab: they survive a reload, and other tabs do not see them. */
export function credential(scheme: Scheme): string | undefined {
  if (scheme === "bearer" && signedIn() === undefined) return undefined;
  return sessionStorage.getItem(scheme) ?? undefined;
}

/** Tells the window by the event `credential`. An empty value removes it. */
export function storeCredential(scheme: Scheme, value: string): void {
  if (value === "") sessionStorage.removeItem(scheme);
  else sessionStorage.setItem(scheme, value);
  dispatchEvent(new Event("credential"));
}

/** Whose token it is, as the token says. @returns undefined without a token, and once it has expired */
export function signedIn() {
  const { sub, exp } = claimsOf(sessionStorage.getItem("bearer") ?? "");
  const expires = new Date(exp * 1000);
  return expires.getTime() > Date.now() ? { username: sub, expires } : undefined;
}

/** Of an expired token for what is none: people can enter anything. */
function claimsOf(token: string): { readonly sub: string; readonly exp: number } {
  try {
    const [, payload = ""] = token.split(".");
    const { sub, exp } = JSON.parse(atob(payload.replaceAll("-", "+").replaceAll("_", "/")));
    return { sub, exp };
  } catch {
    return { sub: "", exp: 0 };
  }
}
