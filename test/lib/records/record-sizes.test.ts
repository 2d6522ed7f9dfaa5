import { describe, expect, it } from "vitest";
import { idempotencyContext } from "../../support/data/idempotency.ts";
import { engines, recordTable, testClient } from "../../support/database/database.ts";
import { MAX_STORED_BYTES, putSizes } from "../../support/database/item-size.ts";
import type { LargestRecord } from "../../support/database/largest-record.ts";
import { ofAreas } from "../../support/of-areas.ts";

const largest = await ofAreas<LargestRecord>("largest");

describe.each(engines)("the largest records on $name", ({ endpoint }) => {
  it("fit, and write little to a partition key of other creations", async () => {
    for (const [area, { kilobytes, create }] of Object.entries(largest)) {
      const client = testClient(endpoint);
      const sizes = putSizes(client);
      await create(client, await recordTable(endpoint), idempotencyContext("k"));

      expect(Math.ceil((sizes.get("0") ?? 0) / 1_024), area).toBe(kilobytes);
      for (const [partition, bytes] of sizes) {
        expect(bytes, area).toBeLessThan(MAX_STORED_BYTES);
        if (!/^(0|content#1|text#1|key#.*)$/.test(partition))
          expect({ area, partition, isSmall: bytes <= 1_024 }).toEqual({ area, partition, isSmall: true });
      }
    }
  });
});
