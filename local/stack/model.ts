import type { CorsRules } from "../api-gateway/cors.ts";
import type { Statement } from "../aws/iam.ts";

/** What the local run takes from a synthesized stack. */
export interface Model {
  readonly stackName: string;
  /** Every resource of the stack, with the name that it has here. */
  readonly resources: readonly ResourceModel[];
  readonly tables: readonly TableModel[];
  readonly functions: readonly FunctionModel[];
  readonly secrets: readonly SecretModel[];
  readonly api: ApiModel;
}

export interface ResourceModel {
  readonly logicalId: string;
  readonly type: string;
  /** What `Ref` gives. */
  readonly physicalId: string;
}

/** A secret that the stack declares; its value is not in the template. */
export interface SecretModel {
  /** The logical id without CDK's hash. */
  readonly label: string;
  readonly arn: string;
  /** How many characters the value has that is made up when the stack is created; absent if none is. */
  readonly generatedLength?: number;
}

/** A table: the members of a CreateTable request, and the attribute that holds the expiry time. */
export interface TableModel {
  readonly logicalId: string;
  readonly request: CreateTableRequest;
  readonly timeToLiveAttribute?: string;
}

export interface CreateTableRequest {
  readonly TableName: string;
  readonly KeySchema: readonly KeyElement[];
  readonly [member: string]: unknown;
}

export interface KeyElement {
  readonly AttributeName: string;
  readonly KeyType: string;
}

export interface FunctionModel {
  readonly logicalId: string;
  /** The logical id without CDK's hash, for people. */
  readonly label: string;
  readonly name: string;
  readonly arn: string;
  readonly runtime: string;
  readonly handler: string;
  /** The directory with the code, as it would be zipped and uploaded. */
  readonly codeDirectory: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly timeoutSeconds: number;
  readonly memoryMegabytes: number;
  readonly reservedConcurrency?: number;
  readonly logGroupName: string;
  readonly roleName: string;
  readonly statements: readonly Statement[];
}

export interface ApiModel {
  readonly apiId: string;
  readonly stage: string;
  readonly routes: readonly RouteModel[];
  readonly cors?: CorsRules;
}

export interface RouteModel {
  /** For example `GET /users/{id}`. */
  readonly routeKey: string;
  /** The logical id of the function behind it. */
  readonly functionId: string;
}
