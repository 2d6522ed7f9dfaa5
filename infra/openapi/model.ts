export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly writeOnly?: boolean;
  readonly description?: string;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly propertyNames?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
}

export interface Reference {
  readonly $ref: string;
}

export interface MediaType {
  readonly schema: JsonSchema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly summary?: string; readonly value: unknown }>>;
}

export type Content = Readonly<Record<string, MediaType>>;

export interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required: boolean;
  readonly deprecated?: boolean;
  readonly description: string;
  readonly schema: JsonSchema;
  readonly example?: unknown;
}

export interface RequestBody {
  readonly required: boolean;
  readonly description?: string;
  readonly content: Content;
}

export interface Response {
  readonly description: string;
  readonly headers?: Readonly<Record<string, Reference>>;
  readonly content?: Content;
}

export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: RequestBody;
  readonly responses: Readonly<Record<string, Response | Reference>>;
}

interface SecurityScheme {
  readonly type: string;
  readonly description: string;
  /** The header that carries an `apiKey`. */
  readonly name?: string;
  readonly openIdConnectUrl?: string;
}

export type PathItem = Readonly<Record<string, Operation>>;

/** An OpenAPI document, version 3.1 (https://spec.openapis.org/oas/v3.1.1.html). */
export interface OpenApiDocument {
  readonly openapi: "3.1.1";
  readonly info: {
    readonly title: string;
    readonly version: string;
    readonly summary: string;
    readonly description: string;
    readonly license: object;
  };
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    readonly responses: Readonly<Record<string, Response>>;
    readonly headers: Readonly<Record<string, { readonly description: string; readonly schema: JsonSchema }>>;
    readonly securitySchemes: Readonly<Record<string, SecurityScheme>>;
  };
}
