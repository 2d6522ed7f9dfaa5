import { currentCost } from "../../lib/auth/passwords.ts";

// Hashes of the real cost take a third of the time of these tests. The gateway's functions use it.
Object.assign(currentCost, { memory: 8, passes: 1 });
