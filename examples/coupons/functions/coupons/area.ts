import { defineArea, list, recordActions } from "../define-area.ts";
import { routes } from "./routes.ts";

const coupon = { code: "MAY10", percent: 10 };

export const area = defineArea(routes, {
  tags: { coupons: "Codes that make an order cheaper" },
  tables: { coupons: { hasIds: true } },
  uses: { coupons: recordActions },
  limits: { "GET /coupons": list, "POST /coupons": { write: 5 }, "DELETE /coupons/{id}": { write: 6 } },
  fields: { code: "What a customer enters", percent: "The part of the price that it saves" },
  examples: { Coupon: { id: 1, ...coupon }, CreateCouponRequest: coupon },
  requests: {
    "GET /coupons": { query: { limit: 10 } },
    "POST /coupons": { body: coupon },
  },
  load: { "GET /coupons/{id}": 3, "POST /coupons": 1, "DELETE /coupons/{id}": 1 },
});
