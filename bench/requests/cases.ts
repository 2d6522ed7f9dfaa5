import type { APIGatewayProxyEventV2 } from "aws-lambda";
import { allRoutes, routesByArea } from "../../functions/definitions.ts";
import { createNotFoundHandler } from "../../functions/fallback/not-found.ts";
import { createHandler, type HttpHandler } from "../../lib/http/handler.ts";
import type { MeasuredHandlers } from "../../test/support/measured-handlers.ts";
import { ofAreas } from "../../test/support/of-areas.ts";
import { gatewayEvent } from "../gateway-event.ts";

/** A request, and a handler that responds to it without a database. */
export interface BenchmarkCase {
  readonly name: string;
  readonly handler: HttpHandler;
  readonly event: APIGatewayProxyEventV2;
  readonly statusCode: number;
}

const measured = await ofAreas<MeasuredHandlers>("bench");
const cases = Object.entries(measured).flatMap(([area, { dependencies, requests }]) => {
  const handler = createHandler(routesByArea[area] ?? [], () => () => dependencies as never);
  return requests.map(({ name, request, body, status }) => ({
    name: name ?? request,
    handler,
    event: eventOf(request, body),
    statusCode: status,
  }));
});
const fallback = createHandler([], () => () => ({}), createNotFoundHandler(allRoutes));

/** The baseline: a handler that only returns a response. */
const bare: HttpHandler = async () => ({
  statusCode: 200,
  headers: { "content-type": "application/json" },
  body: JSON.stringify({ id: 1, title: "Buy milk", completed: false }),
});

/** The first case is the baseline. */
export const benchmarkCases: readonly BenchmarkCase[] = [
  { name: "a bare handler", handler: bare, event: eventOf("GET /none/1"), statusCode: 200 },
  ...cases,
  { name: "an unknown path: 404", handler: fallback, event: eventOf("GET /no/such/path"), statusCode: 404 },
];

function eventOf(request: string, body?: unknown): APIGatewayProxyEventV2 {
  const [method = "", target = ""] = request.split(" ");
  return gatewayEvent(method, target, body, { headers: { accept: "*/*" } });
}
