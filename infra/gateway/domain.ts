import { CfnOutput, type Stack } from "aws-cdk-lib";
import { type DomainMappingOptions, DomainName, SecurityPolicy } from "aws-cdk-lib/aws-apigatewayv2";
import { Certificate } from "aws-cdk-lib/aws-certificatemanager";
import { CfnRecordSet } from "aws-cdk-lib/aws-route53";
import { DOMAIN_TARGET_OUTPUT, DOMAIN_ZONE_OUTPUT } from "../../lib/construct-ids.ts";
import type { Stage } from "../settings/stages.ts";

export function domainMapping(stack: Stack, domain: NonNullable<Stage["domain"]>): DomainMappingOptions {
  const domainName = new DomainName(stack, "Domain", {
    domainName: domain.name,
    certificate: Certificate.fromCertificateArn(stack, "Certificate", domain.certificateArn),
    securityPolicy: SecurityPolicy.TLS_1_2,
  });
  const { regionalDomainName, regionalHostedZoneId } = domainName;
  // The runbook of a lost region uses both.
  const description = `Without hostedZone, create a DNS record of type CNAME that maps ${domain.name} to this name`;
  new CfnOutput(stack, DOMAIN_TARGET_OUTPUT, { value: regionalDomainName, description });
  new CfnOutput(stack, DOMAIN_ZONE_OUTPUT, {
    value: regionalHostedZoneId,
    description: "Its zone, for aliases",
  });
  if (domain.hostedZone !== undefined)
    new CfnRecordSet(stack, "DomainRecord", {
      hostedZoneId: domain.hostedZone,
      name: domain.name,
      type: "A",
      aliasTarget: { dnsName: regionalDomainName, hostedZoneId: regionalHostedZoneId },
    });
  return { domainName };
}
