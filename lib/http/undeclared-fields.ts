type KeyOf<D> = D extends unknown ? keyof D : never;
type ValueOf<D, K> = D extends unknown ? (K extends keyof D ? D[K] : never) : never;
type ElementOf<D> = D extends readonly (infer E)[] ? E : never;

/** The names of the fields, at any depth, that a value has beyond its declaration; never if there are none. */
export type UndeclaredFields<Actual, Declared> = unknown extends Declared
  ? never
  : Actual extends (...args: never) => unknown
    ? never
    : Actual extends readonly (infer E)[]
      ? UndeclaredFields<E, ElementOf<Declared>>
      : Actual extends object
        ? {
            [K in keyof Actual]-?: K extends KeyOf<Declared>
              ? UndeclaredFields<Actual[K], ValueOf<Declared, K>>
              : K;
          }[keyof Actual]
        : never;
