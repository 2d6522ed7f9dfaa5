import type { ApiClient } from "../../client/index.js";
import { succeed } from "./succeed.ts";

export const people: readonly (readonly [string, string, number])[] = [
  ["Amara Okafor", "amara.okafor@example.com", 34],
  ["Ben Larsen", "ben.larsen@example.com", 41],
  ["Chiara Conti", "chiara.conti@example.com", 29],
  ["Dmitri Volkov", "dmitri.volkov@example.com", 52],
  ["Elif Kaya", "elif.kaya@example.com", 26],
  ["Farid Haddad", "farid.haddad@example.com", 38],
  ["Grace Kim", "grace.kim@example.com", 45],
  ["Hugo Martin", "hugo.martin@example.com", 31],
  ["Ines Pereira", "ines.pereira@example.com", 63],
  ["Jonas Weber", "jonas.weber@example.com", 22],
  ["Keiko Tanaka", "keiko.tanaka@example.com", 57],
  ["Liam Murphy", "liam.murphy@example.com", 36],
];

export const DEMO_PASSWORD = "Demo-password1";

export const accounts = people.slice(0, 6).map(([name, email, age]) => {
  const [username = ""] = name.toLowerCase().split(" ");
  return { username, email, age };
});

/** Registers accounts of some of them. */
export async function registerPeople(api: ApiClient): Promise<void> {
  const body = accounts.map((account) => ({ ...account, password: DEMO_PASSWORD }));
  await succeed(api.idempotent("/users/batch", { body }));
}
