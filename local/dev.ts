import { runCommand } from "./cli/local-command.ts";

await runCommand({
  name: "npm run dev",
  summary: "like npm start, and reloads what changes in functions/, lib/ and infra/ while it runs.",
  watched: ["functions", "lib", "infra"].map((name) => new URL(`../${name}`, import.meta.url)),
});
