import { afterAll } from "vitest";
import { cheapenArgon2 } from "./argon2.ts";

// The gateway's functions use the real cost.
afterAll(cheapenArgon2());
