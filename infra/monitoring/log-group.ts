import { RemovalPolicy, type Stack } from "aws-cdk-lib";
import { CustomDataIdentifier, DataIdentifier, DataProtectionPolicy, LogGroup } from "aws-cdk-lib/aws-logs";
import type { Stage } from "../settings/stages.ts";

const awsIdentifiers = [
  DataIdentifier.AWSSECRETKEY,
  DataIdentifier.OPENSSHPRIVATEKEY,
  DataIdentifier.PGPPRIVATEKEY,
  DataIdentifier.PKCSPRIVATEKEY,
  DataIdentifier.PUTTYPRIVATEKEY,
];

/** The service's own credentials, without groups, which CloudWatch does not support. */
const ownCredentials = {
  Token: "eyJ[A-Za-z0-9_-]{8,}[.][A-Za-z0-9_-]{8,}[.][A-Za-z0-9_-]{8,}",
  PasswordHash: "[$]argon2id[$]v=[0-9]+[$]m=[0-9]+,t=[0-9]+,p=[0-9]+[$][A-Za-z0-9+/]+[$][A-Za-z0-9+/]+",
  // A static key or a signing secret, as the first deployment or a command generates it (infra/secrets.ts).
  GeneratedSecret: "[A-Za-z0-9]{48}",
} as const;

/** No code logs credentials. If one gets into a line, only permission `logs:Unmask` shows it. */
export function createLogGroup(stack: Stack, stage: Stage, id: string): LogGroup {
  const custom = Object.entries(ownCredentials).map(([name, regex]) => new CustomDataIdentifier(name, regex));
  return new LogGroup(stack, id, {
    retention: stage.logRetention,
    removalPolicy: stage.keepData ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY,
    dataProtectionPolicy: new DataProtectionPolicy({ identifiers: [...awsIdentifiers, ...custom] }),
  });
}
