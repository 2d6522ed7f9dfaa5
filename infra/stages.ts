import { CorsHttpMethod } from "aws-cdk-lib/aws-apigatewayv2";
import { RetentionDays } from "aws-cdk-lib/aws-logs";
import { type UsersListForm, usersListForms } from "../lib/schemas/users-list.ts";

/** What differs between deployments. */
export interface Stage {
  readonly name: StageName;
  /** Origins that browsers may call from: `*`, or scheme and host. */
  readonly corsOrigins: readonly string[];
  readonly corsMethods: readonly CorsHttpMethod[];
  readonly corsHeaders: readonly string[];
  /** What `GET /users` answers where the request names no version. */
  readonly usersList: UsersListForm;
  /** How long clients may keep an item, in seconds; 0 for not at all. */
  readonly itemCacheSeconds: number;
  readonly logRetention: RetentionDays;
  /** What the gateway lets through of all routes together; twice as much at once. */
  readonly requestsPerSecond: number;
  /** How many environments Lambda runs at once in this AWS account; 0 reserves none for single functions. */
  readonly lambdaConcurrency: number;
  /** Tables outlive the stack, cannot be deleted by mistake and can be restored to any second. */
  readonly keepData: boolean;
  /** Whether trouble is reported to a topic. */
  readonly alarms: boolean;
}

export type StageName = "dev" | "prod";

/** The cross-origin rules of the specification, "What the service does", 8. */
const specifiedCors = {
  corsMethods: [
    CorsHttpMethod.OPTIONS,
    CorsHttpMethod.GET,
    CorsHttpMethod.POST,
    CorsHttpMethod.PUT,
    CorsHttpMethod.DELETE,
  ],
  corsHeaders: ["Content-Type"],
};

/** What a deployment can be told with `-c name=value`, beside its stage. */
export interface StageSettings {
  /** The browser origins, comma-separated; dev takes any unless told, prod has to be told. */
  readonly origins?: string | undefined;
  /** `records` unless told, or `versioned`. */
  readonly usersList?: string | undefined;
  /** 60 unless told; 0 turns it off. */
  readonly itemCacheSeconds?: string | undefined;
  /** The quota "Concurrent executions" of the AWS account; no function is bounded unless told. */
  readonly lambdaConcurrency?: string | undefined;
}

/**
 * The settings of a stage.
 *
 * @param name `dev` or `prod` (`-c stage=…`)
 * @throws Error saying what to give when the name or a setting does not fit
 */
export function stageOf(name: string, settings: StageSettings): Stage {
  const { origins, usersList: given = "records", itemCacheSeconds: seconds = "60" } = settings;
  const { lambdaConcurrency: concurrency = "0" } = settings;
  const usersList = usersListForms.find((form) => form === given);
  if (usersList === undefined) {
    throw new Error(`The users list is not "${given}": -c usersList=records or -c usersList=versioned`);
  }
  if (!/^\d{1,8}$/.test(seconds)) {
    throw new Error(`Items are kept for whole seconds, not "${seconds}": -c itemCacheSeconds=60`);
  }
  if (!/^\d{1,6}$/.test(concurrency)) {
    throw new Error(
      `Lambda's concurrency is a whole number, not "${concurrency}": -c lambdaConcurrency=1000`,
    );
  }
  const itemCacheSeconds = Number(seconds);
  const lambdaConcurrency = Number(concurrency);
  const corsOrigins = (origins ?? "").split(",").filter((origin) => origin !== "");
  switch (name) {
    case "dev":
      return {
        name,
        ...specifiedCors,
        corsOrigins: corsOrigins.length === 0 ? ["*"] : corsOrigins,
        usersList,
        itemCacheSeconds,
        lambdaConcurrency,
        logRetention: RetentionDays.ONE_WEEK,
        requestsPerSecond: 100,
        keepData: false,
        alarms: false,
      };
    case "prod":
      if (corsOrigins.length === 0 || corsOrigins.some((origin) => !isOrigin(origin))) {
        throw new Error("The prod stage needs the origins it serves: -c origins=https://www.example.com[,…]");
      }
      return {
        name,
        ...specifiedCors,
        corsOrigins,
        usersList,
        itemCacheSeconds,
        lambdaConcurrency,
        logRetention: RetentionDays.ONE_YEAR,
        requestsPerSecond: 1_000,
        keepData: true,
        alarms: true,
      };
    default:
      throw new Error(`There is no stage "${name}": -c stage=dev or -c stage=prod`);
  }
}

/** Scheme and host, nothing else: that is what browsers send in `Origin`. */
function isOrigin(text: string): boolean {
  return URL.canParse(text) && new URL(text).origin === text;
}
