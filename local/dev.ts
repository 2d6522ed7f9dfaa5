import { runService } from "./cli/run-service.ts";

await runService({
  name: "npm run dev",
  description:
    "Runs the service like npm start, and reloads changes in functions/, lib/ and infra/.\n" +
    "Type errors are shown as warnings.",
  watched: ["functions", "lib", "infra"].map((name) => new URL(`../${name}`, import.meta.url)),
  typeChecked: new URL("stack/reloaded.tsconfig.json", import.meta.url),
});
