export interface StackModel {
  readonly stackName: string;
  readonly tables: readonly TableModel[];
  readonly functions: readonly FunctionModel[];
  readonly jobs: readonly JobModel[];
  readonly secrets: readonly SecretModel[];
  readonly api: ApiModel;
  /** What areas added to the stack by plain CDK: ids and types. */
  readonly leftOut: readonly string[];
}

export interface TableModel {
  /** The logical id without CDK's hash. */
  readonly label: string;
  readonly request: CreateTableRequest;
  readonly timeToLive: object;
}

interface CreateTableRequest {
  readonly TableName: string;
  readonly KeySchema: readonly KeyElement[];
  readonly [member: string]: unknown;
}

export interface KeyElement {
  readonly AttributeName: string;
  readonly KeyType: string;
}

/** Who calls AWS: a function or the operator. */
export interface Principal {
  readonly logicalId: string;
  readonly name: string;
  readonly roleName: string;
  readonly statements: readonly PolicyStatement[];
}

export interface FunctionModel extends Principal {
  readonly label: string;
  readonly arn: string;
  readonly runtime: string;
  readonly handler: string;
  readonly codeDirectory: string;
  /** What `bundleFunctions` made the code of. */
  readonly bundle?: { readonly name: string; readonly first: readonly string[] } | undefined;
  readonly environment: Readonly<Record<string, string>>;
  readonly timeoutSeconds: number;
  readonly memoryMegabytes: number;
  readonly logGroupName: string;
}

export const conditionKeys = ["dynamodb:Attributes", "dynamodb:LeadingKeys", "dynamodb:Select"] as const;
export type ConditionKey = (typeof conditionKeys)[number];

/** That all values of a key match one of some patterns. */
export interface PolicyCondition {
  readonly key: ConditionKey;
  readonly patterns: readonly string[];
}

export interface PolicyStatement {
  readonly effect: "Allow" | "Deny";
  readonly actions: readonly string[];
  readonly resources: readonly string[];
  readonly conditions?: readonly PolicyCondition[];
}

export interface JobModel {
  /** `<area>/<job>`. */
  readonly label: string;
  readonly functionId: string;
  readonly functionName: string;
  /** What starts it, unless a schedule does: the properties of the event source mapping. */
  readonly stream?: {
    readonly EventSourceArn: string;
    readonly MaximumRetryAttempts: number;
    readonly FilterCriteria: { readonly Filters: readonly { readonly Pattern: string }[] };
  };
}

/** A secret that the stack declares. Its value is not in the template. */
export interface SecretModel {
  readonly label: string;
  readonly arn: string;
  readonly generatedLength: number;
}

export interface ApiModel {
  readonly apiId: string;
  readonly routes: readonly RouteModel[];
  readonly cors: CorsConfiguration;
}

export interface RouteModel {
  readonly routeKey: string;
  readonly functionId: string;
}

export interface CorsConfiguration {
  readonly AllowOrigins: readonly string[];
  readonly AllowMethods: readonly string[];
  readonly AllowHeaders: readonly string[];
  readonly ExposeHeaders?: readonly string[];
  /** In seconds. */
  readonly MaxAge: number;
}
