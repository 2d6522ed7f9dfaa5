import * as z from "zod/mini";
import { notFound } from "../../lib/domain/errors.ts";
import { entityTag } from "../../lib/http/etag.ts";
import { listResponse } from "../../lib/http/pagination.ts";
import { created, deleted, found, routeBuilder } from "../../lib/http/route.ts";
import { type CouponsRepository, StoredCoupon } from "../../lib/repositories/coupons.ts";
import { Coupon, CreateCouponRequest } from "../../lib/validators/coupon.ts";
import { byId, ListQuery } from "../../lib/validators/cursor.ts";
import { recordId } from "../../lib/validators/parameter.ts";

interface CouponsDependencies {
  readonly coupons: CouponsRepository;
}

const route = routeBuilder<CouponsDependencies>({ tag: "coupons", errorFormat: "detail" });
const path = z.object({ id: recordId("The coupon's id") });
const errors = { 404: { when: "No coupon has this id", example: notFound("Coupon", 7) } };

export const routes = [
  route("GET /coupons", {
    operationId: "listCoupons",
    summary: "List coupons, optionally paginated",
    description: "In id order.",
    request: { query: ListQuery },
    responses: { 200: z.array(Coupon) },
    handle: async ({ query: { limit, cursor }, target, budget }, { coupons }) => {
      const page = await coupons.list({ after: cursor, limit }, budget().forPart());
      return listResponse(page, target, byId);
    },
  }),
  route("GET /coupons/{id}", {
    operationId: "getCoupon",
    summary: "Get a coupon",
    description: "A deleted coupon is a 404.",
    request: { path },
    responses: { 200: Coupon },
    errors,
    etag: entityTag,
    handle: async ({ path: { id } }, { coupons }) => found(await coupons.get(id), "Coupon", id),
  }),
  route("POST /coupons", {
    operationId: "createCoupon",
    summary: "Create a coupon",
    description: "Codes need not be unique.",
    request: { body: CreateCouponRequest },
    responses: { 201: Coupon },
    etag: entityTag,
    location: ({ id }: Coupon) => `/coupons/${id}`,
    handle: async ({ body, idempotency }, { coupons }) => created(await coupons.create(body, idempotency)),
  }),
  route("DELETE /coupons/{id}", {
    operationId: "deleteCoupon",
    summary: "Delete a coupon",
    description: "Its id is not reused.",
    request: { path },
    responses: { 204: z.undefined() },
    errors,
    etag: entityTag,
    handle: async ({ path: { id }, precondition }, { coupons }) =>
      deleted(await coupons.remove(id, precondition), "Coupon", id),
  }),
];

/** What the repair checks. */
export const stored = { schema: StoredCoupon };
