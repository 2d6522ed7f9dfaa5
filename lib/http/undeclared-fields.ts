type KeyOf<D> = D extends unknown ? keyof D : never;
type ValueOf<D, K> = D extends unknown ? (K extends keyof D ? D[K] : never) : never;
type ElementOf<D> = D extends readonly (infer E)[] ? E : never;

/**
 * The names of the fields, at any depth, that a value has and its declaration has not; never where there are none.
 * To the compiler a value with more fields is as good as one without, but what is answered is sent with all of them.
 *
 * It sees types alone: what a value has beyond its type, as after `const shown: Todo = stored`, it cannot tell, nor
 * what is lost where the compiler makes one type of two. test/support/conformance.ts looks at the answers themselves.
 */
export type UndeclaredFields<Given, Declared> = unknown extends Declared
  ? never
  : Given extends (...args: never) => unknown
    ? never
    : Given extends readonly (infer E)[]
      ? UndeclaredFields<E, ElementOf<Declared>>
      : Given extends object
        ? {
            [K in keyof Given]-?: K extends KeyOf<Declared>
              ? UndeclaredFields<Given[K], ValueOf<Declared, K>>
              : K;
          }[keyof Given]
        : never;
