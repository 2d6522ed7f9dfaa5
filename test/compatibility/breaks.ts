export interface Break {
  readonly name: string;
  readonly red: string;
  readonly because: RegExp;
  // biome-ignore lint/suspicious/noExplicitAny: what is broken need not be a document
  change(document: any): void;
}

export const breaks: readonly Break[] = [
  {
    name: "broken: a type that does not exist",
    red: "openapi-spec-validator",
    because: /words/,
    change: ({ components }) => Object.assign(components.schemas.Todo.properties.title, { type: "words" }),
  },
  {
    name: "broken: passwords of any length",
    red: "hey-api with zod",
    because: /true,true/,
    change: ({ components }) => delete components.schemas.UserCreate.properties.password.minLength,
  },
  {
    name: "broken: prices that are text",
    red: "schemathesis",
    because: /is not of type "string"/,
    change: ({ components }) =>
      Object.assign(components.schemas.Product.properties.price, { type: "string" }),
  },
  {
    name: "broken: a parameter with another name",
    red: "client: python",
    because: /limit/,
    change: ({ paths }) => Object.assign(paths["/todos"].get.parameters[0], { name: "count" }),
  },
  {
    name: "broken: a status that is missing",
    red: "schemathesis",
    because: /404/,
    change: ({ paths }) => delete paths["/todos/{id}"].get.responses[404],
  },
];
