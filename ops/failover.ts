import {
  ChangeResourceRecordSetsCommand,
  ListResourceRecordSetsCommand,
  Route53Client,
} from "@aws-sdk/client-route-53";
import { CommandError } from "../cli/errors.ts";
import { operatorClientConfig } from "../lib/aws.ts";
import { DOMAIN_TARGET_OUTPUT, DOMAIN_ZONE_OUTPUT } from "../lib/construct-ids.ts";
import { runOperatorCommand } from "./operator-command.ts";

await runOperatorCommand({
  name: "failover",
  description: `Lets a stage's name lead to its stack in the region of the environment, after the loss of another one, or back
(docs/adr/0036). It changes the name's record in Route 53, which clients follow within minutes.`,
  options: {
    zone: {
      type: "string",
      isRequired: true,
      placeholder: "id",
      description: "the hosted zone of the name in Route 53, such as Z0123456789ABCDEFGHIJ",
    },
  },
  async run({ zone: HostedZoneId }, { stage, isDryRun, print }) {
    const { name, outputs, ofType } = stage.stack("The local run has no name of its own.");
    const [Name] = Object.values(ofType("AWS::ApiGatewayV2::DomainName"));
    const target = outputs.get(DOMAIN_TARGET_OUTPUT);
    if (Name === undefined || target === undefined)
      throw new CommandError(`The stack ${name} has no name of its own: deploy it with the setting domain.`);
    const client = new Route53Client(operatorClientConfig);
    const first = { HostedZoneId, StartRecordName: Name, StartRecordType: "A", MaxItems: 1 } as const;
    const { ResourceRecordSets: found = [] } = await client.send(new ListResourceRecordSetsCommand(first));
    const current = found.find((each) => each.Name?.replace(/\.$/, "") === Name && each.Type === "A");
    print(`${Name} leads to ${current?.AliasTarget?.DNSName?.replace(/\.$/, "") ?? "nothing"}.`);
    if (isDryRun) return print(`Would lead to ${target}.`);
    const AliasTarget = {
      DNSName: target,
      HostedZoneId: outputs.get(DOMAIN_ZONE_OUTPUT),
      EvaluateTargetHealth: false,
    };
    const record = { Action: "UPSERT", ResourceRecordSet: { Name, Type: "A", AliasTarget } } as const;
    const ChangeBatch = { Changes: [record] };
    await client.send(new ChangeResourceRecordSetsCommand({ HostedZoneId, ChangeBatch }));
    print(`Leads to ${target} within minutes.`);
  },
});
