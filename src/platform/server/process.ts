import { EspalierError } from "../../errors.ts";
import type { PlatformArguments } from "../../http/context-input.ts";
import type {
  ApplicationServer,
  InFlight,
  ListeningRuntime,
  ListenOptions,
  RunningServer,
  ServeOptions,
  ServerAddress,
} from "./contract.ts";
import { resolveListenOptions } from "./listen-options.ts";
import { serve } from "./serve.ts";
import { stopOnSignals } from "./stop-on-signals.ts";

/** For requests whose server has no platform arguments. */
const noArguments: PlatformArguments = {
  env: undefined,
  executionContext: undefined,
  socketAddress: undefined,
};

/** Manages the server of an application: at most one at a time. */
export class ServerControl implements ApplicationServer {
  #running: RunningServer | undefined;
  /** The server of the last {@link drain} call; it may still have open connections. */
  #draining: RunningServer | undefined;
  #isStarting = false;
  #ignoreSignals: () => void = () => {};
  /** Set by the last `listen()`. */
  #stopTimeoutMs: number | undefined;
  /** Number of calls of `stop()`. */
  #stops = 0;

  async listen(
    runtime: ListeningRuntime,
    stop: () => Promise<void>,
    first: number | ListenOptions | undefined,
    second: string | undefined,
  ): Promise<ServerAddress> {
    const given =
      typeof first === "object"
        ? first
        : {
            ...(first === undefined ? {} : { port: first }),
            ...(second === undefined ? {} : { host: second }),
          };
    const options = resolveListenOptions(given, runtime.options);
    const stops = this.#stops;
    await runtime.boot();
    const { logger } = runtime;
    const address = await this.#start({
      ...options,
      logger,
      onSendError: (error) => runtime.bodyFailures.reportUnattributed(error),
      fetch: (request, platform = noArguments) => runtime.respond(request, platform),
    });
    if (this.#stops !== stops) {
      // stop() ran before the server existed, and its caller does not expect one afterwards.
      await Promise.all([this.drain(), this.closeAll()]);
      throw new EspalierError(
        "ERR_APPLICATION_LISTEN",
        "stop() was called while listen() was starting, so nothing listens. Call listen() again.",
      );
    }
    this.#stopTimeoutMs = options.stopTimeoutMs;
    if (options.gracefulSignals) this.#ignoreSignals = stopOnSignals(stop, logger);
    try {
      await runtime.startWorkers?.();
      await runtime.ensureReady?.();
    } catch (error) {
      // Stopped, so that a retry finds the port free.
      await stop().catch(() => {});
      throw error;
    }
    return address;
  }

  beginStop(): number | undefined {
    this.#stops += 1;
    return this.#stopTimeoutMs;
  }

  /**
   * Binds the port.
   *
   * @throws EspalierError `ERR_APPLICATION_LISTEN` when this application is already listening;
   *   `ERR_APPLICATION_PORT_IN_USE` when another program is; the system's own error when the port cannot be
   *   bound for another reason
   */
  async #start(options: ServeOptions): Promise<ServerAddress> {
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
