import { join } from "node:path";
import { createHandler } from "../../lib/http/handler.ts";
import { documentClient } from "../../lib/repositories/dynamodb/client.ts";
import { assertReadable } from "../../lib/repositories/readiness.ts";
import { setting, tableName } from "../../lib/settings.ts";
import { demonstrationRoutes } from "./demonstration.ts";
import { Documentation } from "./documentation.ts";
import { documentationRoutes } from "./documentation-routes.ts";
import { systemRoutes } from "./routes.ts";

export const handler = createHandler(
  [...systemRoutes, ...documentationRoutes, ...demonstrationRoutes],
  () => {
    const client = documentClient();
    const table = tableName("todos");
    return {
      assertReadable: () => assertReadable(client, table),
      // Lambda sets the variable: the folder of the function's code.
      documentation: new Documentation(join(setting("LAMBDA_TASK_ROOT"), "documentation")),
    };
  },
);
