import type { Browser } from "./chromium.ts";
import type { DevTools } from "./devtools.ts";

interface Size {
  readonly width: number;
  readonly height: number;
}

/**
 * A page in a browser, used as people do: by what they see and click. Queries wait for their element, and fail if it
 * does not appear.
 */
export class Page {
  readonly #devTools: DevTools;
  readonly #session: string;
  /** Errors and warnings in the console, and blocked requests. */
  readonly complaints: string[] = [];
  /** The requested URLs. */
  readonly requests: string[] = [];

  private constructor(devTools: DevTools, session: string) {
    this.#devTools = devTools;
    this.#session = session;
    devTools.listen(session, (method, params) => this.#hear(method, params));
  }

  /** Opens a page in its own browser context, without cookies and storage of other pages. */
  static async open({ devTools }: Browser, url: string, size: Size): Promise<Page> {
    const { browserContextId } = await devTools.send("Target.createBrowserContext");
    const permissions = ["clipboardReadWrite", "clipboardSanitizedWrite"];
    await devTools.send("Browser.grantPermissions", { permissions, browserContextId });
    const { targetId } = await devTools.send("Target.createTarget", { url: "about:blank", browserContextId });
    const { sessionId } = await devTools.send("Target.attachToTarget", { targetId, flatten: true });
    const page = new Page(devTools, String(sessionId));
    for (const domain of ["Runtime", "Log", "Network", "Page"]) await page.#send(`${domain}.enable`);
    await page.resize(size);
    await page.#send("Page.navigate", { url });
    return page;
  }

  /** Loads the page again, as its user does. */
  async reload(): Promise<void> {
    await this.#send("Page.reload");
  }

  /** Shows the page to somebody whose system is set to light or dark. */
  async prefer(scheme: "light" | "dark"): Promise<void> {
    const features = [{ name: "prefers-color-scheme", value: scheme }];
    await this.#send("Emulation.setEmulatedMedia", { features });
  }

  async resize({ width, height }: Size): Promise<void> {
    await this.#send("Emulation.setDeviceMetricsOverride", {
      width,
      height,
      deviceScaleFactor: 1,
      mobile: width < 600,
    });
  }

  /**
   * Evaluates an expression in the page and awaits its promise.
   *
   * @throws Error when it throws
   */
  async evaluate<T>(expression: string): Promise<T> {
    const { result, exceptionDetails } = (await this.#send("Runtime.evaluate", {
      expression,
      awaitPromise: true,
      returnByValue: true,
    })) as { result: { value: T }; exceptionDetails?: { exception?: { description?: string } } };
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? expression);
    return result.value;
  }

  /** Waits until an expression has a value, and returns it; true for an element. */
  async until<T>(expression: string, what = expression): Promise<T> {
    return this.evaluate(`new Promise((resolve, reject) => {
      const end = performance.now() + 500_000;
      const look = () => {
        const found = ${expression};
        if (found) resolve(found instanceof Node || found);
        else if (performance.now() > end) reject(new Error(${JSON.stringify(`There is no ${what}`)}));
        else requestAnimationFrame(look);
      };
      look();
    })`);
  }

  /** Whether it is wider than its window. */
  isWider(): Promise<boolean> {
    return this.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth");
  }

  /** The text of an element. */
  text(selector: string): Promise<string> {
    return this.until(`document.querySelector(${JSON.stringify(selector)})?.innerText`, selector);
  }

  /**
   * Clicks the middle of an element, with the mouse.
   *
   * @param selector the first match is clicked
   */
  async click(selector: string): Promise<void> {
    const find = `document.querySelector(${JSON.stringify(selector)})`;
    await this.until(`!!${find}`, selector);
    const [x, y] = await this.evaluate<[number, number]>(`(() => {
      const element = ${find};
      element.scrollIntoView({ block: "center", behavior: "instant" });
      const { left, top, width, height } = element.getBoundingClientRect();
      return [left + width / 2, top + height / 2];
    })()`);
    for (const type of ["mousePressed", "mouseReleased"])
      await this.#send("Input.dispatchMouseEvent", { type, x, y, button: "left", clickCount: 1 });
  }

  /** Replaces the text of a field. */
  async write(selector: string, text: string): Promise<void> {
    await this.click(selector);
    await this.evaluate("document.activeElement.select()");
    await this.#send("Input.insertText", { text });
  }

  #send(method: string, params?: Record<string, unknown>): Promise<Record<string, unknown>> {
    return this.#devTools.send(method, params, this.#session);
  }

  #hear(method: string, params: Record<string, unknown>): void {
    const { type, entry, request } = params as {
      type?: string;
      entry?: { level: string };
      request?: { url: string };
    };
    if (method === "Network.requestWillBeSent" && request) this.requests.push(request.url);
    const isComplaint =
      method === "Runtime.exceptionThrown" ||
      (method === "Runtime.consoleAPICalled" && /^(error|warning|assert)$/.test(type ?? "")) ||
      (method === "Log.entryAdded" && /^(error|warning)$/.test(entry?.level ?? ""));
    if (isComplaint) this.complaints.push(JSON.stringify(params));
  }
}
