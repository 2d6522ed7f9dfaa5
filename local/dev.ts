import { runCommand } from "./cli/local-command.ts";

await runCommand({
  name: "npm run dev",
  summary: "like npm start, and reloads code that changes in functions/, lib/ and infra/.",
  watched: ["functions", "lib", "infra"].map((name) => new URL(`../${name}`, import.meta.url)),
});
