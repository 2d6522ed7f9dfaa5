import { Template } from "aws-cdk-lib/assertions";
import { describe, expect, it } from "vitest";
import { SERVICE_NAME } from "../../lib/construct-ids.ts";
import { differenceOf, factsOf, summaryOf } from "../support/infra/summary.ts";
import { type Resource, resourcesOf, stageTemplate } from "../support/infra/templates.ts";

const prod = stageTemplate("prod");
const dev = stageTemplate("dev");

const named = new RegExp(`(${SERVICE_NAME}[-/ ]|"stage":"|"Key":"stage","Value":")prod`, "g");

/** With the names that dev has, so that they are no difference. */
function namedLikeDev(template: Template): Template {
  const text = JSON.stringify(template.toJSON());
  return Template.fromJSON(JSON.parse(text.replaceAll(named, "$1dev")));
}

// Read a change of these files as you read code. Under another logical id, CloudFormation creates another
// resource.
it.each([
  ["prod", () => summaryOf(prod)],
  ["dev", () => differenceOf(namedLikeDev(prod), dev)],
  ["configured", () => differenceOf(prod, stageTemplate("configured"))],
])("the %s stack is as its summary says", async (name, summary) => {
  await expect(summary()).toMatchFileSnapshot(`snapshots/${name}.txt`);
});

describe("a summary", () => {
  it("says every value of every resource but the dashboard", () => {
    let values = 0;
    for (const [id, { Type, DependsOn, Properties, ...attributes }] of resourcesOf(prod)) {
      if (Type === "AWS::CloudWatch::Dashboard") continue;
      const properties = Object.entries(Properties).map(([name, value]) => ({
        Properties: { [name]: value },
      }));
      for (const part of [attributes, ...properties] as Resource[]) {
        const facts = factsOf(part).join("\n");
        for (const path of changeEach(part)) {
          values += 1;
          expect(factsOf(part).join("\n"), `${id}.${path}`).not.toBe(facts);
        }
      }
    }
    expect(values).toBeGreaterThan(1_500);
  });

  it("does not show the hashes of code", () => {
    const text = JSON.stringify(prod.toJSON());
    const other = text.replaceAll(/(?<=CurrentVersion\w{8})[0-9a-f]{32}|[0-9a-f]{64}(?=\.zip)/g, (hash) =>
      "0".repeat(hash.length),
    );

    expect(other).not.toBe(text);
    expect(differenceOf(prod, Template.fromJSON(JSON.parse(other)))).toBe("");
  });
});

/** Changes each value within an object in turn, yields its path while it is changed, and restores it. */
function* changeEach(parent: object): Generator<string> {
  const members = parent as Record<string, unknown>;
  for (const [name, value] of Object.entries(members)) {
    if (typeof value === "object" && value !== null) {
      for (const path of changeEach(value)) yield `${name}.${path}`;
    } else {
      members[name] = "changed";
      yield name;
      members[name] = value;
    }
  }
}
