import { runCommand } from "./cli/local-command.ts";

await runCommand({
  name: "npm start",
  summary: "runs the service on this machine, with the template and the bundles of a deployment.",
  watched: [],
});
