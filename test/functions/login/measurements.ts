import { routes } from "../../../functions/login/routes.ts";
import { measureArea } from "../../support/measure-area.ts";

export const measurements = measureArea(routes, {
  requests: { "POST /auth/login, wrong password": { body: { username: "nobody", password: "x" } } },
  limits: { "POST /auth/login": [1, 1, 4] },
  priced: { "POST /auth/login": 1 },
});
