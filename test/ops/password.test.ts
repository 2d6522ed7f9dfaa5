import { PassThrough, Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { readPassword } from "../../ops/cli/password.ts";

/** Somebody at a terminal, who answers each question as it comes. */
function atTerminal(answers: readonly string[]) {
  const keyboard = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => undefined });
  const screen = new PassThrough();
  let shown = "";
  const left = [...answers];
  screen.on("data", (text: Buffer) => {
    shown += text;
    if (!String(text).endsWith(": ")) return;
    const answer = left.shift();
    if (answer !== undefined) setImmediate(() => keyboard.write(answer));
  });
  return { password: readPassword(keyboard, screen, "Password of ada"), shown: () => shown };
}

describe("a password", () => {
  it("is asked for twice at a terminal, without echo", async () => {
    const { password, shown } = atTerminal(["Secret 1\r", "Secret 1\r"]);

    expect(await password).toBe("Secret 1");
    expect(shown()).toBe("Password of ada: \nOnce more: \n");
  });

  it("can be corrected while it is typed, and have any characters", async () => {
    const { password } = atTerminal(["Sx\u007fécrèt 1 😀\r", "Sécrèt 1 😀\r"]);

    expect(await password).toBe("Sécrèt 1 😀");
  });

  it("that is empty is not asked for again", async () => {
    const { password, shown } = atTerminal(["\r"]);

    expect(await password).toBe("");
    expect(shown()).toBe("Password of ada: \n");
  });

  it("that differs the second time is none", async () => {
    await expect(atTerminal(["Secret 1\r", "Secret 2\r"]).password).rejects.toThrow(
      "The two passwords differ; nothing is changed.",
    );
  });

  it.each([
    ["Ctrl-C", "\u0003"],
    ["Ctrl-D", "\u0004"],
  ])("is none after %s", async (_, key) => {
    await expect(atTerminal([key]).password).rejects.toThrow("Cancelled; nothing is changed.");
    await expect(atTerminal(["Secret 1\r", key]).password).rejects.toThrow("Cancelled; nothing is changed.");
  });

  it.each([
    ["Secret 1", "Secret 1"],
    ["Secret 1\n", "Secret 1"],
    ["Secret 1\r\n", "Secret 1"],
    [" Secret 1 \n\n", " Secret 1 \n"],
    ["", ""],
  ])("that is piped, %j, is %j", async (input, expected) => {
    const screen = new PassThrough();

    expect(await readPassword(Readable.from([Buffer.from(input)]), screen, "Password")).toBe(expected);
    expect(screen.read()).toBeNull();
  });
});
