export interface Flag {
  readonly type: "boolean";
  readonly description: string;
}

/** A value of an option or an argument. Without `isRequired` or `default` it may be undefined. */
export type Parameter = {
  readonly description: string;
  /** Stands for the value in the help: `--seconds <n>`. */
  readonly placeholder?: string;
  readonly isRequired?: true;
} & (
  | { readonly type: "string" | "url" }
  | { readonly type: "integer"; readonly min: number; readonly max: number; readonly default?: number }
  | { readonly type: "choice"; readonly choices: readonly string[] }
);

export type Options = Readonly<Record<string, Flag | Parameter>>;
export type Arguments = Readonly<Record<string, Parameter>>;

type TypeValues = { boolean: boolean; string: string; url: URL; integer: number };
type ParsedValue<P> = P extends { choices: readonly (infer Choice)[] }
  ? Choice
  : P extends { type: infer Type extends keyof TypeValues }
    ? TypeValues[Type]
    : never;
type IsAlwaysSet = { type: "boolean" } | { isRequired: true } | { default: unknown };

export type Values<P extends Options> = {
  readonly [N in keyof P]: ParsedValue<P[N]> | (P[N] extends IsAlwaysSet ? never : undefined);
};
