import { defineArea, list, recordActions } from "../define-area.ts";
import { routes } from "./routes.ts";

const coupon = { code: "MAY10", percent: 10 };

export const area = defineArea(routes, {
  tags: { coupons: "Codes that make an order cheaper" },
  tables: { coupons: { hasIds: true } },
  uses: { coupons: recordActions },
  limits: { "GET /coupons": list },
  fields: { code: "What a customer enters", percent: "The part of the price that it saves" },
  examples: { Coupon: { id: 1, ...coupon }, CreateCouponRequest: coupon },
  requests: {
    "GET /coupons": { query: { limit: 10 } },
    "POST /coupons": { body: coupon },
  },
});
