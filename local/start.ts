import { runService } from "./cli/run-service.ts";

await runService({
  name: "npm start",
  description: "Runs the service on this machine, from the template and bundles that a deployment uploads.",
  watched: [],
});
