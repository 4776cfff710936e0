import type { ServerAddress } from "../../application/listen-options.ts";
import { EspalierError } from "../../errors.ts";
import type { ApplicationServer, RunningServer, ServeOptions } from "./contract.ts";
import { serve } from "./serve.ts";
import { stopOnSignals } from "./stop-on-signals.ts";

/** The server of one application: at most one at a time. */
export class ServerControl implements ApplicationServer {
  #running: RunningServer | undefined;
  #isStarting = false;
  #ignoreSignals: () => void = () => {};

  /**
   * Binds the port.
   *
   * @throws EspalierError `ERR_APPLICATION_LISTEN` when this application listens already;
   * `ERR_APPLICATION_PORT_IN_USE` when somebody else does; the system's own error when the port cannot
   * be bound otherwise
   */
  async start(options: ServeOptions): Promise<ServerAddress> {
    if (this.#running !== undefined || this.#isStarting) {
      const where = this.#running === undefined ? "" : ` on ${this.#running.url}`;
      throw new EspalierError(
        "ERR_APPLICATION_LISTEN",
        `The application listens already${where}. Call stop() first, or listen() once.`,
      );
    }
    this.#isStarting = true;
    try {
      this.#running = await serve(options);
    } finally {
      this.#isStarting = false;
    }
    const { port, hostname, url } = this.#running;
    return { port, hostname, url };
  }

  /** Lets SIGINT and SIGTERM call `stop`. */
  stopOnSignals(stop: () => Promise<void>): void {
    this.#ignoreSignals = stopOnSignals(stop);
  }

  /** Drains and closes the server; nothing happens when there is none. */
  async close(): Promise<void> {
    const running = this.#running;
    this.#running = undefined;
    this.#ignoreSignals();
    this.#ignoreSignals = () => {};
    await running?.close();
  }
}
