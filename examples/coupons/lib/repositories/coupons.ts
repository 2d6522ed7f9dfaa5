import type { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import * as z from "zod/mini";
import type { Coupon } from "../validators/coupon.ts";
import { type RecordOf, RecordRepository, type StoredSchema } from "./records/record-repository.ts";

/** A coupon as it is stored. A field that is added later needs a default: older coupons do not have it. */
export const StoredCoupon = z.object({ code: z.string(), percent: z.int() }) satisfies StoredSchema<Coupon>;

/** The coupons. */
export class CouponsRepository extends RecordRepository<RecordOf<typeof StoredCoupon>> {
  constructor(client: DynamoDBDocumentClient, table: string) {
    super(client, table, StoredCoupon);
  }
}
