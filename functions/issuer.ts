import { IdentityProvider } from "../lib/auth/identity-provider.ts";
import { useProvider } from "../lib/auth/tokens.ts";
import { setting } from "../lib/settings.ts";

// The bundles of functions that verify tokens begin with this file where the stage has an issuer (infra/functions.ts).
useProvider(new IdentityProvider(JSON.parse(setting("ISSUER")), Date.now));
