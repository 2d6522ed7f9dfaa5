import { runCommand } from "./cli/run-service.ts";

await runCommand({
  name: "npm run dev",
  summary: "like npm start, and reloads what changes in functions/, lib/ and infra/ while it runs.",
  watched: ["functions", "lib", "infra"].map((name) => new URL(`../${name}`, import.meta.url)),
});
