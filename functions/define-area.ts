import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import type { ITable } from "aws-cdk-lib/aws-dynamodb";
import type { Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import type { Construct } from "constructs";
import type { AccessRule } from "../lib/auth/access.ts";
import type { SecretName } from "../lib/construct-ids.ts";
import type { StoredItem } from "../lib/dynamodb/query.ts";
import type { Operation, Route } from "../lib/http/route.ts";
import type { StoredRecords } from "../lib/records/record-repair.ts";

/** What an area's routes.ts exports for functions besides its own. */
export interface AreaModule {
  readonly routes: readonly Route[];
  readonly repair?: AreaRepair;
  /** What the repair checks of its records, if it has a table with ids. */
  readonly stored?: StoredRecords;
}

/** Completes what a crash has interrupted, such as orders. @returns how many, also in a dry run */
export type AreaRepair = (
  client: DynamoDBClient,
  tableOf: (name: string) => string | undefined,
  options: {
    readonly isDryRun?: boolean | undefined;
    readonly isIncremental?: boolean | undefined;
    readonly abandonedAfterMs?: number | undefined;
  },
) => Promise<number>;

/** Records for trying out a service, which an area may export as `samples` from a file samples.ts. */
export interface AreaSamples {
  readonly count: number;
  /** Loads them into the area's table, if it never had a record: all or nothing. */
  load(client: DynamoDBClient, table: string): Promise<number>;
}

/** DynamoDB's actions on a table, such as `orders`, or on an index, such as `orders/index/by-user`. */
export type Grants = Readonly<Record<string, readonly `dynamodb:${string}`[]>>;

/** Conditions of a policy statement: operator → condition key → values. */
export type Conditions = Readonly<Record<string, Readonly<Record<string, string | readonly string[]>>>>;

/** A table. Records with ids have an allocated number as sort key (docs/adr/0003), others a text. */
export interface TableDefinition {
  readonly hasIds: boolean;
  /** Partitions whose items become records: an export reads them last, so that it has none of them twice. */
  readonly pendingPartitions?: readonly string[];
  /** Global indexes, whose sort key is the id by default. */
  readonly indexes?: {
    readonly [name: string]: {
      /** The attribute's name and type: a string or a number. */
      readonly partitionKey: readonly [name: string, type: "S" | "N"];
      /** The name of a text attribute, such as a time: see `listBy` of RecordRepository. */
      readonly sortKey?: string;
      /** Whether it has the keys only, so that other changes of a record do not write to it. */
      readonly keysOnly?: true;
    };
  };
  /** Which records are a person's besides those that the account owns, and how they stay (ops/person.ts). */
  readonly personal?: {
    readonly emailField?: string;
    readonly userField?: string;
    readonly kept?: string;
  };
  /** The condition under which a function may use an action on the table, whatever its code does. */
  conditions?(functionName: string, action: string): Conditions | undefined;
}

export interface FunctionSize {
  readonly memoryMegabytes: number;
  /** Above the sum of the database client's timeouts and, behind the gateway, below its 30 s. */
  readonly timeoutSeconds: number;
  /** The part of the account's concurrency, from 0 to 1, that is reserved for it and also its limit. */
  readonly concurrencyShare?: number;
}

/** Code that no request starts, which jobs.ts exports under the job's name (docs/adr/0037). */
export interface JobDefinition {
  /** A message of `enqueue`, a change of one of the area's records, or EventBridge's schedule in UTC. */
  readonly startedBy: "message" | "change" | `rate(${string})` | `cron(${string})`;
  readonly uses: Grants;
  readonly secrets?: readonly SecretName[];
  /** 60 by default, for up to 10 messages or changes. */
  readonly timeoutSeconds?: number;
  /** 3 by default, which is the most for a schedule. */
  readonly attempts?: number;
}

export function isScheduled({ startedBy }: JobDefinition): boolean {
  return startedBy.endsWith(")");
}

/** The throttling of a route at the gateway, in every stage. */
export interface RouteLimit {
  readonly perSecond: number;
  readonly burst: number;
}

/** The units that a large request takes of one table: the stage's tables decide its limit. */
export interface RouteUnits {
  readonly read?: number;
  readonly write?: number;
  /** Of one partition key: all requests of the route can be for the same. */
  readonly writeOfKey?: number;
}

/** Settings that the area's function reads from its environment, by name, as in `-c name=value`. */
export interface AreaSettings {
  readonly [name: string]: {
    readonly variable: string;
    readonly default: string;
    /** The rest of a sentence that begins with the setting: "must be …". */
    readonly expectation: string;
    /** Returns the value for the function; undefined if the text is invalid. */
    parse(text: string): string | undefined;
  };
}

export interface ExampleContext {
  /** The id of a record that was created by the example request of a route. */
  id(route: string): number;
  readonly unique: string;
}

/** A request that succeeds, without its route's method, pattern and credentials. */
export interface ExampleRequest {
  readonly path?: Readonly<Record<string, string | number>>;
  readonly query?: Readonly<Record<string, string | number>>;
  readonly body?: unknown;
  /** Creations whose example requests have to be sent before, besides those whose ids it uses. */
  readonly after?: readonly string[];
  /** Whose token it needs, if not any account's. */
  readonly username?: string;
  /** It only shows the form: a value is known at run time alone, or the request ends what others need. */
  readonly isIllustrative?: true;
}

export type Example = ExampleRequest | ((context: ExampleContext) => ExampleRequest);

/** One rule for all operations of an area, or rules by operation; `read` and `write` are groups of them. */
export type AreaAccess = AccessRule | { readonly [O in Operation | "read" | "write"]?: AccessRule };

/** What the deployment, the document and the tools need to know of an area, besides its routes. */
export interface AreaDefinition<Key extends string = string> {
  /** What the tags of its routes mean, in the order of the document. */
  readonly tags?: Readonly<Record<string, string>>;
  /** What somebody who starts with the service does, in Markdown, for the documentation page. */
  readonly firstSteps?: readonly string[];
  /** What its routes do not say about who may do what, in a sentence for the documentation page. */
  readonly accessNote?: string;
  /** Routes whose example requests the overview for language models shows first. */
  readonly firstCalls?: readonly Key[];
  /** The document lists tags of areas with lower numbers first, and areas without one last. */
  readonly position?: number;
  readonly tables?: Readonly<Record<string, TableDefinition>>;
  readonly uses?: Grants;
  /**
   * For an area without an index.ts: the area whose function handles its routes. That function gets `uses`, and lists
   * the area in its handled-areas.ts. By default `fallback` handles them, without any grant.
   */
  readonly handledBy?: string;
  /** What the fallback may do, which handles routes that end in a slash on some gateways, with the area's settings. */
  readonly fallbackUses?: Grants;
  readonly repairUses?: Grants;
  readonly secrets?: readonly SecretName[];
  /** Who may call its operations unless the stage's rule for the area says otherwise. */
  readonly access?: AreaAccess;
  readonly settings?: AreaSettings;
  readonly jobs?: Readonly<Record<string, JobDefinition>>;
  readonly size?: FunctionSize;
  /** Limits of the routes that cost much more than others. The stage's limit applies to all of them. */
  readonly limits?: Readonly<Partial<Record<Key, RouteLimit | RouteUnits>>>;
  /** Log lines that are counted, by the construct id of their metric. */
  readonly counted?: {
    readonly [id: string]: {
      readonly routes: readonly Key[];
      readonly statuses: readonly number[];
      /** The functions that handle the routes; by default the area's own. */
      readonly functions?: readonly string[];
      readonly title?: string;
      /** How many in five minutes are an alarm, and what happened then, as in "100 logins failed". */
      readonly alarm?: { readonly threshold: number; readonly meaning: string };
    };
  };
  /** Descriptions of fields by `Schema.field`, or by the field's name for all schemas of the document. */
  readonly fields?: Readonly<Record<string, string>>;
  readonly examples?: Readonly<Record<string, unknown>>;
  /** A request of each route that succeeds. Ids in the path are those of created records by default. */
  readonly requests: { readonly [K in Key as K extends `${string}{${string}` ? never : K]: Example } & {
    readonly [K in Key]?: Example;
  };
  /** The first request of a measured cold start; by default one that reads a record. */
  readonly firstRequest?: Key;
  /** The route that returns a bearer token for the `username` and `password` in its body. */
  readonly tokenRoute?: Key;
  /** How new versions are tried, besides what the example requests say (functions/trial-requests.ts). */
  readonly trial?: {
    /** The fields of a record that no list shows, for areas whose example requests refer to one. */
    readonly record?: Readonly<Record<string, unknown>>;
    /** The change that ends a record, if no request deletes it. */
    readonly end?: { readonly route: Key; readonly query: Readonly<Record<string, string>> };
  };
  /** The routes as a deployment with these settings declares them; by default those of the area. */
  routesWith?(settings: Readonly<Record<string, string>>): readonly Route[];
}

/** What an area may add to the stack by plain CDK, as `constructs` of a file constructs.ts. */
export type AreaConstructs = (
  scope: Construct,
  parts: {
    readonly lambda: LambdaFunction;
    job(name: string): LambdaFunction;
    readonly tables: ReadonlyMap<string, ITable>;
    /** Whether data stays when the stack is deleted, and the pages that browsers may call the API from. */
    readonly stage: { readonly keepData: boolean; readonly corsOrigins: readonly string[] };
  },
) => void;

/** What operators' commands know of a stage. */
export interface OperatedStage {
  /** For clients of AWS. */
  readonly clientConfig: object;
  /** The physical id of a resource by its type and its logical id without CDK's hash; undefined in a local run. */
  resource(type: string, label: string): string | undefined;
}

/** What belongs to an area's records outside of its table, as `personal` of a file personal.ts (ops/person.ts). */
export interface AreaPersonal {
  /** What an export has besides the record. */
  read(record: StoredItem, stage: OperatedStage): Promise<object>;
  /** Is called before the record is erased, and again if that was interrupted. */
  erase(record: StoredItem, stage: OperatedStage): Promise<unknown>;
}

/** Declares an area. A route without an example request, or a limit of another route, does not compile. */
export function defineArea<const R extends Route & { readonly key: string }>(
  _routes: readonly R[],
  definition: AreaDefinition<R["key"]>,
): AreaDefinition {
  return definition;
}

/** 1,769 MB are one vCPU. With half of one, loading the AWS SDK takes 0.1 s: most of a cold start. */
export const defaultSize: FunctionSize = { memoryMegabytes: 1_024, timeoutSeconds: 20 };

/** The actions of `lib/records/record-repository.ts`; `getMany` also uses `BatchGetItem`. */
export const recordActions = [
  "dynamodb:ConditionCheckItem",
  "dynamodb:DeleteItem",
  "dynamodb:GetItem",
  "dynamodb:PutItem",
  "dynamodb:Query",
  "dynamodb:UpdateItem",
] as const;

/** Reads every record of a table, whatever the client asks for. */
export const fullRead: RouteLimit = { perSecond: 20, burst: 40 };

/** Reads every record of a table if the client asks for no page, or for a sort or filter without an index. */
export const list: RouteLimit = { perSecond: 200, burst: 400 };
