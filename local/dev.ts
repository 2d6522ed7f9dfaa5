import { runService } from "./cli/run-service.ts";

await runService({ watched: ["functions", "lib", "infra"] });
