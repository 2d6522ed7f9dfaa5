import { PassThrough, Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { readPassword } from "../../cli/password.ts";

/** Reads a password at a terminal whose user types an answer to each prompt, and which ends at the next one. */
function readAtTerminal(answers: readonly string[]) {
  const keyboard = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => undefined });
  const screen = new PassThrough();
  let shown = "";
  const remaining = [...answers];
  screen.on("data", (text: Buffer) => {
    shown += text;
    if (!String(text).endsWith(": ")) return;
    const answer = remaining.shift();
    setImmediate(() => (answer === undefined ? keyboard.end() : keyboard.write(answer)));
  });
  return { password: readPassword(keyboard, screen, "Password of ada"), shown: () => shown };
}

describe("a password", () => {
  const twice = "\nRepeat: \n";
  it.each([
    ["for twice, without echo", ["Secret 1\r", "Secret 1\r"], "Secret 1", twice],
    ["with backspace, of any characters", ["Sx\u007fécrèt 1 😀\r", "Sécrèt 1 😀\r"], "Sécrèt 1 😀", twice],
    ["for once if it is empty", ["\r"], "", "\n"],
  ])("is prompted at a terminal %s", async (_, answers, expected, rest) => {
    const { password, shown } = readAtTerminal(answers);
    expect(await password).toBe(expected);
    expect(shown()).toBe(`Password of ada: ${rest}`);
  });

  it("is rejected if the entries differ", async () => {
    await expect(readAtTerminal(["Secret 1\r", "Secret 2\r"]).password).rejects.toThrow(
      "The two passwords differ. Nothing was changed.",
    );
  });

  it.each([
    ["Ctrl-C", ["\u0003"]],
    ["Ctrl-D", ["\u0004"]],
    ["the end of the input", []],
  ])("can be cancelled with %s", async (_, keys) => {
    for (const before of [[], ["Secret 1\r"]]) {
      const { password, shown } = readAtTerminal([...before, ...keys]);
      await expect(password).rejects.toThrow("Cancelled. Nothing was changed.");
      expect(shown()).toBe(`Password of ada: \n${before.map(() => "Repeat: \n").join("")}`);
    }
  });

  it.each([
    ["Secret 1", "Secret 1"],
    ["Secret 1\n", "Secret 1"],
    ["Secret 1\r\n", "Secret 1"],
    [" Secret 1 \n\n", " Secret 1 \n"],
    ["", ""],
  ])("is read from a pipe: %j is %j", async (input, expected) => {
    const screen = new PassThrough();
    expect(await readPassword(Readable.from([Buffer.from(input)]), screen, "Password")).toBe(expected);
    expect(screen.read()).toBeNull();
  });
});
