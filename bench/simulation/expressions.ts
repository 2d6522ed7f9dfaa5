import type { AttributeValue } from "@aws-sdk/client-dynamodb";

export type RawItem = Record<string, AttributeValue>;

/** The expressions of a write, as DynamoDB gets them. */
export interface Expressions {
  readonly UpdateExpression?: string;
  readonly ConditionExpression?: string;
  readonly ExpressionAttributeNames?: Readonly<Record<string, string>>;
  readonly ExpressionAttributeValues?: RawItem;
}

type Test = (value: (operand: string) => unknown) => boolean;
const OPERATORS: Readonly<Record<string, string>> = {
  ...{ AND: "&&", OR: "||", NOT: "!", "=": "===", "<>": "!==" },
  ...{ attribute_exists: "undefined !== ", attribute_not_exists: "undefined === " },
};
const tests = new Map<string, Test>();

/** Whether an item, empty if it does not exist, meets the condition of a write. */
export function meetsCondition(item: RawItem, write: Expressions): boolean {
  const { ConditionExpression: condition = "" } = write;
  if (condition === "") return true;
  let test = tests.get(condition);
  if (test === undefined) {
    const body = condition.replace(/[#:\w]+|[<>=]+/g, (token) =>
      /^[<>]=?$/.test(token) ? token : (OPERATORS[token] ?? `value(${JSON.stringify(token)})`),
    );
    test = new Function("value", `return ${body}`) as Test;
    tests.set(condition, test);
  }
  return test((operand) => plain(attributeOf(item, write, operand)));
}

/** Numbers and strings compare as JavaScript does it. */
function plain(value: AttributeValue | undefined): unknown {
  return value?.N === undefined ? (value?.S ?? (value && JSON.stringify(value))) : Number(value.N);
}

function nameOf({ ExpressionAttributeNames: names = {} }: Expressions, path: string): string {
  return names[path] ?? path;
}

function attributeOf(item: RawItem, write: Expressions, operand: string): AttributeValue | undefined {
  return operand.startsWith(":") ? write.ExpressionAttributeValues?.[operand] : item[nameOf(write, operand)];
}

/** The item after an update, whose clauses are SET with a value or a sum, ADD of a number, and REMOVE. */
export function updated(item: RawItem, write: Expressions): RawItem {
  const after = { ...item };
  const clauses = (write.UpdateExpression ?? "").split(/\b(SET|ADD|REMOVE) /).slice(1);
  for (let i = 0; i < clauses.length; i += 2)
    for (const part of (clauses[i + 1] ?? "").trim().split(", ")) {
      const [path = ""] = part.split(/ = | /);
      const value = clauses[i] === "REMOVE" ? undefined : newValue(item, write, clauses[i] === "ADD", part);
      if (value) after[nameOf(write, path)] = value;
      else delete after[nameOf(write, path)];
    }
  return after;
}

/** The new value of one part of a clause: a value, a sum or a difference, or what is added to the old value. */
function newValue(
  item: RawItem,
  write: Expressions,
  isAdded: boolean,
  part: string,
): AttributeValue | undefined {
  const numberOf = (operand: string) => Number(attributeOf(item, write, operand)?.N ?? 0);
  const [path = "", first = "", sign, second = ""] = part.split(/ = | /);
  if (isAdded) return { N: String(numberOf(path) + numberOf(first)) };
  if (sign === undefined) return attributeOf(item, write, first);
  return { N: String(numberOf(first) + (sign === "-" ? -1 : 1) * numberOf(second)) };
}
