import { EspalierError } from "../../errors.ts";
import type { Logger } from "../../observability/logger.ts";
import type {
  ApplicationServer,
  InFlight,
  RunningServer,
  ServeOptions,
  ServerAddress,
} from "./contract.ts";
import { serve } from "./serve.ts";
import { stopOnSignals } from "./stop-on-signals.ts";

export { resolveListenOptions } from "./listen-options.ts";

/** Manages the server of an application: at most one at a time. */
export class ServerControl implements ApplicationServer {
  #running: RunningServer | undefined;
  /** The server of the last {@link drain} call; it may still have open connections. */
  #draining: RunningServer | undefined;
  #isStarting = false;
  #ignoreSignals: () => void = () => {};

  /**
   * Binds the port.
   *
   * @throws EspalierError `ERR_APPLICATION_LISTEN` when this application is already listening;
   *   `ERR_APPLICATION_PORT_IN_USE` when another program is; the system's own error when the port cannot be
   *   bound for another reason
   */
  async start(options: ServeOptions): Promise<ServerAddress> {
    if (this.#running !== undefined || this.#isStarting) {
      const where = this.#running === undefined ? "" : ` on ${this.#running.url}`;
      throw new EspalierError(
        "ERR_APPLICATION_LISTEN",
        `The application is already listening${where}. Call stop() first, or call listen() only once.`,
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

  /** Calls `stop` on SIGINT and SIGTERM until the server stops. */
  stopOnSignals(stop: () => Promise<void>, logger: Logger): void {
    this.#ignoreSignals = stopOnSignals(stop, logger);
  }

  /** See {@link RunningServer.drain}; resolves at once if the application is not listening. */
  async drain(): Promise<void> {
    this.#ignoreSignals();
    this.#ignoreSignals = () => {};
    const running = this.#running;
    this.#running = undefined;
    this.#draining = running;
    await running?.drain();
    // After a timeout, another listen() and stop() may have started.
    if (this.#draining === running) this.#draining = undefined;
  }

  /** Closes all connections of the draining server. */
  async closeAll(): Promise<void> {
    const draining = this.#draining;
    this.#draining = undefined;
    await draining?.closeAll();
  }

  /** Returns the requests and WebSockets that {@link drain} is waiting for. */
  inFlight(): InFlight {
    return this.#draining?.inFlight() ?? {};
  }
}
