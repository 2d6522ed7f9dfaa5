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
  try {
    const [, payload = ""] = (sessionStorage.getItem("bearer") ?? "").split(".");
    const { sub, exp } = JSON.parse(atob(payload.replaceAll("-", "+").replaceAll("_", "/")));
    const expires = new Date(exp * 1000);
    return expires.getTime() > Date.now() ? { username: sub as string, expires } : undefined;
  } catch {
    // What people entered as an identity provider's token is none.
    return undefined;
  }
}
