import type { AttributeValue } from "@aws-sdk/client-dynamodb";

export type RawItem = Record<string, AttributeValue>;

/** The expressions of a write, as DynamoDB gets them. */
export interface Expressions {
  readonly UpdateExpression?: string;
  readonly ConditionExpression?: string;
  readonly ExpressionAttributeNames?: Readonly<Record<string, string>>;
  readonly ExpressionAttributeValues?: RawItem;
}

const TOKEN = /\s*(<>|<=|>=|[()<>=]|[#:\w]+)/gy;

/** Whether an item, empty if it does not exist, meets the condition of a write. */
export function meetsCondition(item: RawItem, write: Expressions): boolean {
  const { ConditionExpression: condition = "" } = write;
  if (condition === "") return true;
  const tokens = [...condition.matchAll(TOKEN)].map(([, token = ""]) => token);
  const take = () => tokens.shift() ?? "";
  const all = (word: string, next: () => boolean): boolean[] => {
    const met = [next()];
    while (tokens[0] === word) {
      take();
      met.push(next());
    }
    return met;
  };
  const or = (): boolean => all("OR", and).includes(true);
  const and = (): boolean => !all("AND", term).includes(false);
  const term = (): boolean => {
    const token = take();
    if (token === "NOT") return !term();
    if (token === "(" || token.startsWith("attribute_")) {
      if (token !== "(") take();
      const met =
        token === "("
          ? or()
          : (token === "attribute_exists") === (attributeOf(item, write, take()) !== undefined);
      take();
      return met;
    }
    return compare(attributeOf(item, write, token), take(), attributeOf(item, write, take()));
  };
  return or();
}

function compare(
  left: AttributeValue | undefined,
  operator: string,
  right: AttributeValue | undefined,
): boolean {
  if (left === undefined || right === undefined) return operator === "<>";
  const [a, b] =
    left.N === undefined
      ? [left.S ?? JSON.stringify(left), right.S ?? JSON.stringify(right)]
      : [Number(left.N), Number(right.N)];
  if (operator === "=") return a === b;
  if (operator === "<>") return a !== b;
  if (operator.startsWith("<")) return a < b || (operator === "<=" && a === b);
  return a > b || (operator === ">=" && a === b);
}

function nameOf({ ExpressionAttributeNames: names = {} }: Expressions, path: string): string {
  return names[path] ?? path;
}

function attributeOf(item: RawItem, write: Expressions, operand: string): AttributeValue | undefined {
  return operand.startsWith(":") ? write.ExpressionAttributeValues?.[operand] : item[nameOf(write, operand)];
}

/** The item after an update. */
export function updated(item: RawItem, write: Expressions): RawItem {
  const after = { ...item };
  const clauses = (write.UpdateExpression ?? "").split(/\b(SET|ADD|REMOVE) /).slice(1);
  for (let i = 0; i < clauses.length; i += 2)
    for (const part of (clauses[i + 1] ?? "").trim().split(/, (?![^(]*\))/))
      apply(clauses[i] ?? "", part, item, after, write);
  return after;
}

function apply(clause: string, part: string, item: RawItem, after: RawItem, write: Expressions): void {
  if (clause === "REMOVE") delete after[nameOf(write, part)];
  if (clause === "ADD") {
    const [path = "", operand = ""] = part.split(" ");
    const sum = numberOf(item[nameOf(write, path)]) + numberOf(attributeOf(item, write, operand));
    after[nameOf(write, path)] = { N: String(sum) };
  }
  if (clause !== "SET") return;
  const [path = "", expression = ""] = part.split(" = ");
  const [first = "", sign, second = ""] = expression.split(/ ([+-]) /);
  const value = operandOf(first, item, write);
  const sum = numberOf(value) + (sign === "-" ? -1 : 1) * numberOf(operandOf(second, item, write));
  after[nameOf(write, path)] = sign === undefined && value ? value : { N: String(sum) };
}

function operandOf(operand: string, item: RawItem, write: Expressions): AttributeValue | undefined {
  const [, path = operand, otherwise = ""] = /^if_not_exists\((\S+), (\S+)\)$/.exec(operand) ?? [];
  return attributeOf(item, write, path) ?? attributeOf(item, write, otherwise);
}

function numberOf(value: AttributeValue | undefined): number {
  return Number(value?.N ?? 0);
}
