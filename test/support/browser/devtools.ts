interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly message: string };
  readonly sessionId?: string;
}

type Listener = (method: string, params: Record<string, unknown>) => void;

/** The DevTools protocol (https://chromedevtools.github.io/devtools-protocol) over Node's own WebSocket. */
export class DevTools {
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, (message: Message) => void>();
  readonly #listeners = new Map<string, Listener>();
  #last = 0;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.addEventListener("message", ({ data }) => this.#receive(JSON.parse(String(data)) as Message));
    socket.addEventListener("close", () => {
      for (const respond of this.#waiting.values()) respond({ error: { message: "The browser has exited" } });
    });
  }

  /** @param url the browser's endpoint */
  static async connect(url: string): Promise<DevTools> {
    const socket = new WebSocket(url);
    await new Promise((resolve, reject) => {
      socket.addEventListener("open", resolve, { once: true });
      socket.addEventListener("error", reject, { once: true });
    });
    return new DevTools(socket);
  }

  /**
   * Sends a command.
   *
   * @param sessionId of the page; the browser itself by default
   * @returns its result
   * @throws Error with the browser's message
   */
  async send(
    method: string,
    params: Record<string, unknown> = {},
    sessionId?: string,
  ): Promise<Record<string, unknown>> {
    this.#last += 1;
    const id = this.#last;
    const answered = new Promise<Message>((resolve) => this.#waiting.set(id, resolve));
    this.#socket.send(JSON.stringify({ id, method, params, ...(sessionId && { sessionId }) }));
    const { result, error } = await answered;
    if (error) throw new Error(`${method}: ${error.message}`);
    return result ?? {};
  }

  /** Subscribes to the events of a page. */
  listen(sessionId: string, listener: Listener): void {
    this.#listeners.set(sessionId, listener);
  }

  #receive({ id, method, params, sessionId, ...message }: Message): void {
    if (id !== undefined) {
      this.#waiting.get(id)?.(message);
      this.#waiting.delete(id);
    } else if (method !== undefined && sessionId !== undefined) {
      this.#listeners.get(sessionId)?.(method, params ?? {});
    }
  }
}
