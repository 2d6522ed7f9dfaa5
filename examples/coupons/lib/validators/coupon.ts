import * as z from "zod/mini";
import { integer } from "./integer.ts";
import { named } from "./metadata.ts";
import { text } from "./text.ts";

const fields = { code: text({ min: 1, max: 20 }), percent: integer({ min: 1, max: 100 }) };

export const Coupon = named("Coupon", z.object({ id: integer({ min: 1 }), ...fields }));
export type Coupon = z.output<typeof Coupon>;

export const CreateCouponRequest = named("CreateCouponRequest", z.object(fields));
