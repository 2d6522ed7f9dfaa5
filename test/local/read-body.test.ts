import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { readBody } from "../../local/read-body.ts";

const stream = (...parts: string[]) => Readable.from(parts.map((part) => Buffer.from(part)));

describe("readBody", () => {
  it.each([[[]], [["one"]], [["one", "two", "ü"]]])("reads %j", async (parts) => {
    expect((await readBody(stream(...parts))).toString()).toBe(parts.join(""));
  });

  it("reads to the end, and keeps nothing of a body beyond the limit", async () => {
    const long = stream("12345", "6", "7");

    expect(await readBody(long, 5)).toBeUndefined();
    expect(long.readableEnded).toBe(true);
    expect(await readBody(stream("12345"), 5)).toEqual(Buffer.from("12345"));
  });

  it("fails if the stream ends early", async () => {
    const broken = new Readable({ read() {} });
    const reading = readBody(broken);
    broken.push("some");
    broken.destroy();

    await expect(reading).rejects.toThrow("before the end");
  });
});
