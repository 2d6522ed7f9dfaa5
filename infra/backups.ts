import { CfnOutput, Duration, RemovalPolicy, type Stack, Validations } from "aws-cdk-lib";
import { BackupPlan, BackupPlanRule, BackupResource, BackupVault } from "aws-cdk-lib/aws-backup";
import { Schedule } from "aws-cdk-lib/aws-events";
import { ManagedPolicy, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { BACKUP_ROLE_OUTPUT, BACKUP_VAULT_OUTPUT } from "../lib/construct-ids.ts";
import type { Stage } from "./settings/stages.ts";
import type { Tables } from "./tables.ts";

/** Backs up the tables in use once a day, and copies that to a vault which exists elsewhere. */
export function backUp(stack: Stack, { backups }: Stage, tables: Tables): void {
  if (backups === undefined) return;
  const { days, copyTo } = backups;
  const vault = new BackupVault(stack, "Backups", { removalPolicy: RemovalPolicy.RETAIN });
  const deleteAfter = Duration.days(Number(days));
  const destinationBackupVault = copyTo && BackupVault.fromBackupVaultArn(stack, "BackupCopies", copyTo);
  const role = new Role(stack, "BackupsRole", { assumedBy: new ServicePrincipal("backup.amazonaws.com") });
  for (const name of ["AWSBackupServiceRolePolicyForBackup", "AWSBackupServiceRolePolicyForRestores"]) {
    role.addManagedPolicy(ManagedPolicy.fromAwsManagedPolicyName(`service-role/${name}`));
    const id = `AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/${name}]`;
    Validations.of(role).acknowledge({ id, reason: "AWS maintains what AWS Backup needs" });
  }
  const rule = new BackupPlanRule({
    scheduleExpression: Schedule.cron({ hour: "3", minute: "0" }),
    deleteAfter,
    ...(destinationBackupVault && { copyActions: [{ destinationBackupVault, deleteAfter }] }),
  });
  const plan = new BackupPlan(stack, "BackupPlan", { backupVault: vault, backupPlanRules: [rule] });
  plan.addSelection("Tables", {
    role,
    resources: [...tables.values()].map(BackupResource.fromDynamoDbTable),
  });
  // For a restore (docs/operations.md).
  new CfnOutput(stack, BACKUP_VAULT_OUTPUT, { value: vault.backupVaultName, description: "Has the backups" });
  new CfnOutput(stack, BACKUP_ROLE_OUTPUT, { value: role.roleArn, description: "Restores backups" });
}
