import { expect, it, onTestFinished } from "vitest";
import { dashboardPicture, type PlacedGraph } from "../../support/infra/dashboard-picture.ts";
import { resourcesOf, stageTemplate } from "../../support/infra/templates.ts";
import { runInMemory } from "../../support/programs/run.ts";

interface Graph {
  readonly title: string;
  readonly metrics: readonly (readonly (string | { expression?: string; stat?: string; label?: string })[])[];
  readonly yAxis: { readonly left?: { readonly label: string } };
}

type Widget = Omit<PlacedGraph, "title" | "legend"> & { type: string; properties: Graph };

/** The dashboard's widgets, with logical ids instead of references. */
const [[, dashboard] = []] = resourcesOf(stageTemplate("dev"), "AWS::CloudWatch::Dashboard");
const pieces: (string | { Ref: string })[] = dashboard?.Properties.DashboardBody["Fn::Join"][1];
const body = pieces.map((piece) => (typeof piece === "string" ? piece : piece.Ref)).join("");
const widgets = (JSON.parse(body).widgets as Widget[]).filter(({ type }) => type === "metric");

/** What the lines of a graph are called: by their label, their metric, or one line per route or function. */
function legendOf({ metrics }: Graph): string[] {
  return metrics.map((metric) => {
    const { expression, label } = metric.find((part) => typeof part === "object") ?? {};
    if (expression) return `one line per ${expression.includes('"route"') ? "route" : "function"}`;
    return label || String(metric[1]);
  });
}

/** What identifies a metric, with sorted dimensions. */
interface Metric {
  readonly namespace: string;
  readonly dimensions: string;
  readonly name: string;
  readonly unit: string;
}

const SEARCH = /SEARCH\('\{([^}]*)\} MetricName="(\w+)"', '(\w+)', 300\)/;

function searchedMetrics(): Metric[] {
  return widgets.flatMap(({ properties: { metrics, yAxis } }) =>
    metrics.flatMap(([first]) => {
      const expression = (typeof first === "object" && first.expression) || "";
      const [, schema = "", name = ""] = SEARCH.exec(expression) ?? [];
      if (name === "") return [];
      // Names that contain more than letters and digits are quoted.
      const [namespace = "", ...dimensions] = schema.split(",").map((quoted) => String(JSON.parse(quoted)));
      return [{ namespace, dimensions: dimensions.sort().join(), name, unit: yAxis.left?.label ?? "" }];
    }),
  );
}

interface EmbeddedMetrics {
  readonly Namespace: string;
  readonly Dimensions: readonly (readonly string[])[];
  readonly Metrics: readonly { readonly Name: string; readonly Unit: string }[];
}

/** The metrics in a log line in CloudWatch's embedded metric format. */
function metricsIn(line: string): Metric[] {
  const { _aws: described, ...values } = JSON.parse(line);
  const all: EmbeddedMetrics[] = described.CloudWatchMetrics;
  return all.flatMap(({ Namespace: namespace, Dimensions, Metrics }) =>
    Dimensions.flatMap((names) =>
      Metrics.map(({ Name: name, Unit: unit }) => {
        for (const field of [name, ...names])
          if (!(field in values)) throw new Error(`${field} has no value: ${line}`);
        return { namespace, dimensions: [...names].sort().join(), name, unit };
      }),
    ),
  );
}

const sortedByName = (metrics: readonly Metric[]) =>
  [...new Map(metrics.map((each) => [JSON.stringify(each), each])).values()].sort((a, b) =>
    a.name.localeCompare(b.name),
  );

it("is what docs/operations.md shows", async () => {
  const placed = widgets.map(({ properties, ...place }) => ({
    ...place,
    title: properties.title,
    legend: legendOf(properties),
  }));
  await expect(dashboardPicture(placed)).toMatchFileSnapshot("../../../docs/images/dashboard.svg");
});

it("searches for the metrics that the functions send, with the same namespace, dimensions, names and units", async () => {
  const run = await runInMemory();
  onTestFinished(run.close);
  for (const path of ["/users", "/users/999999", "/errors/500"]) await (await fetch(run.url + path)).text();
  const lines = run.lines.map(({ text }) => text).filter((text) => text.includes('"_aws"'));
  const sent = sortedByName(lines.flatMap(metricsIn));
  expect(sent.map(({ name }) => name)).toEqual(["clientErrors", "ColdStart", "duration", "serverErrors"]);
  // Demonstrations of a failure are not an area's.
  const [{ namespace } = { namespace: "" }] = sent;
  const ofArea = { namespace, dimensions: "service", name: "serverErrors", unit: "Count" };
  const searched = sortedByName(searchedMetrics());
  expect(searched).toEqual(expect.arrayContaining([...sent, ofArea]));
  expect(searched).toHaveLength(sent.length + 1);
});
