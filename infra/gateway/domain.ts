import { CfnOutput, type Stack } from "aws-cdk-lib";
import { type DomainMappingOptions, DomainName, SecurityPolicy } from "aws-cdk-lib/aws-apigatewayv2";
import { Certificate } from "aws-cdk-lib/aws-certificatemanager";
import { CfnRecordSet } from "aws-cdk-lib/aws-route53";
import type { Stage } from "../stages.ts";

export function domainMapping(stack: Stack, domain: NonNullable<Stage["domain"]>): DomainMappingOptions {
  const domainName = new DomainName(stack, "Domain", {
    domainName: domain.name,
    certificate: Certificate.fromCertificateArn(stack, "Certificate", domain.certificateArn),
    securityPolicy: SecurityPolicy.TLS_1_2,
  });
  const { regionalDomainName, regionalHostedZoneId } = domainName;
  if (domain.hostedZone === undefined) {
    const description = `Create a DNS record of type CNAME that maps ${domain.name} to this name`;
    new CfnOutput(stack, "DomainTarget", { value: regionalDomainName, description });
  } else {
    new CfnRecordSet(stack, "DomainRecord", {
      hostedZoneId: domain.hostedZone,
      name: domain.name,
      type: "A",
      aliasTarget: { dnsName: regionalDomainName, hostedZoneId: regionalHostedZoneId },
    });
  }
  return { domainName };
}
