import { createGuards } from "../lib/auth/access.ts";
import { useGuards } from "../lib/http/handler.ts";
import { setting } from "../lib/settings.ts";

// The bundles of functions with access rules begin with this file (infra/functions.ts).
useGuards(createGuards(JSON.parse(setting("ACCESS"))));
