import { runCommand } from "./cli/run-service.ts";

await runCommand({
  name: "npm start",
  summary: "runs the service on this machine, from the same template and bundles that a deployment uploads.",
  watched: [],
});
