import { changeArgon2 } from "./argon2.ts";

// Hashes of the real cost take a third of the time of these tests. The gateway's functions use it.
changeArgon2((parameters) => ({ ...parameters, memory: 8, passes: 1 }));
