import { type AreaHistory, historyOf, isCurrent, type Written, writesTo } from "./area-history.ts";
import type { Change, FinalState, History } from "./history.ts";

/** Each total is computed from prices of one moment, and a cancelled order stays cancelled. @see checkStock */
export function* checkOrders(history: History, state: FinalState) {
  const products = historyOf("products", history, state);
  const orders = historyOf("orders", history, state);
  const placed = placedOrders(orders);
  const prices = new Map<number, readonly Written[]>();
  for (const id of history.shopProducts) {
    prices.set(id, writesTo(products, id, "price"));
    const sold = placed.flatMap(({ items, ...order }) => {
      const line = items.find(({ product_id }) => product_id === id);
      return line ? [{ ...order, quantity: line.quantity }] : [];
    });
    yield* checkStock(id, products, sold);
  }
  for (const order of placed)
    if (!possibleTotals(order, prices).some((sum) => sum === Math.round(order.total * 100)))
      yield `orders: ${order.id} has the total ${order.total}, for which there were no prices`;
  for (const [id, changes] of orders.changes) {
    const cancelled = Math.min(...changes.filter(isCancellation).map(({ end }) => end));
    const isLater = ({ fields, outcome, start }: Change) =>
      outcome === "done" && start > cancelled && fields.status !== undefined;
    if (changes.some(isLater)) yield `orders: ${id} was changed after it was cancelled`;
  }
}

/** An order, and when its stock was deducted: at any later time if its request was never acknowledged. */
interface PlacedOrder {
  readonly id: number;
  readonly items: readonly { readonly product_id: number; readonly quantity: number }[];
  readonly total: number;
  readonly start: number;
  readonly end: number;
}

function placedOrders({ creations, created, final }: AreaHistory): PlacedOrder[] {
  const byUser = Map.groupBy(creations, ({ fields }) => fields.user_id);
  return [...final.values()].map((record) => {
    const attempts = byUser.get(record.user_id) ?? [];
    const start = Math.min(...attempts.map((attempt) => attempt.start));
    return { ...(record as unknown as PlacedOrder), start, end: created.get(record.id)?.end ?? Infinity };
  });
}

/** A stock is what was last set, less later orders. Who sets one with `If-Match` has seen all earlier ones. */
function* checkStock(
  id: number,
  products: AreaHistory,
  sold: readonly (Pick<PlacedOrder, "start" | "end"> & { readonly quantity: number })[],
) {
  const sets = writesTo(products, id, "stock");
  const soldIf = (isIn: (order: (typeof sold)[number]) => boolean) =>
    sold.filter(isIn).reduce((sum, { quantity }) => sum + quantity, 0);
  const isPossible = (stock: number, start: number, end: number) =>
    sets
      .filter((set) => isCurrent(set, sets, start, end))
      .some((set) => {
        const atLeast = soldIf((order) => order.start > set.end && order.end < start);
        const atMost = soldIf((order) => order.end > set.start && order.start < end);
        return stock <= Number(set.value) - atLeast && stock >= Number(set.value) - atMost;
      });
  const final = { record: products.final.get(id), start: Infinity, end: Infinity };
  const reads = products.reads.filter((read) => read.id === id && read.record);
  for (const { record, start, end } of [...reads, final]) {
    const stock = Number(record?.stock);
    if (stock < 0 || !isPossible(stock, start, end))
      yield `products: ${id} had a stock of ${stock}, which is not what was set less what was ordered`;
  }
  const changes = products.changes.get(id) ?? [];
  for (const { basedOn, outcome, start } of changes) {
    if (basedOn === undefined || outcome !== "done") continue;
    // A tag is a hash: with the stock that was read, the product has the same one again.
    const mostSold = soldIf((order) => order.end > basedOn.start && order.start < start);
    const isAsRead = ({ value }: Written) =>
      Number(value) >= basedOn.stock && Number(value) <= basedOn.stock + mostSold;
    if (sets.some((set) => set.end > basedOn.end && set.start < start && isAsRead(set))) continue;
    const isMissed = (other: { readonly start: number; readonly end: number }) =>
      other.start > basedOn.end && other.end < start;
    if (sold.some(isMissed) || changes.some((other) => other.outcome === "done" && isMissed(other)))
      yield `products: ${id} was set by somebody who had missed an order or a change`;
  }
}

const isCancellation = ({ fields, outcome }: Change) => outcome === "done" && fields.status === "cancelled";

/** The totals in cents of all prices that were current together at some time while an order was placed. */
function possibleTotals(
  { items, start, end }: PlacedOrder,
  prices: ReadonlyMap<number, readonly Written[]>,
): number[] {
  let sums = [{ cents: 0, from: start, to: end }];
  for (const { product_id, quantity } of items) {
    const all = prices.get(product_id) ?? [];
    const current = all.filter((price) => isCurrent(price, all, start, end));
    // A later acknowledged price ends one.
    const endsOf = (price: Written) =>
      all.filter((other) => other.isDone && other.start > price.end).map((other) => other.end);
    sums = sums.flatMap(({ cents, from, to }) =>
      current
        .map((price) => ({
          cents: cents + quantity * Math.round(Number(price.value) * 100),
          from: Math.max(from, price.start),
          to: Math.min(to, ...endsOf(price)),
        }))
        .filter((sum) => sum.from < sum.to),
    );
  }
  return sums.map(({ cents }) => cents);
}
