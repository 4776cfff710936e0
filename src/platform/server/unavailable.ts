import { EspalierError } from "../../errors.ts";
import type { Logger } from "../../observability/logger.ts";
import type { ApplicationServer, InFlight, ServeOptions } from "./contract.ts";

/** Placeholder for the server on platforms that listen themselves and call `fetch`. */
export class ServerControl implements ApplicationServer {
  async start(_options: ServeOptions): Promise<never> {
    throw new EspalierError(
      "ERR_APPLICATION_LISTEN",
      "listen() cannot bind a port on this platform, which listens itself. " +
        "Deploy with `export default app.worker()`, or pass app.fetch to the platform.",
    );
  }

  /** Does nothing: these platforms have no process signals. */
  stopOnSignals(_stop: () => Promise<void>, _logger: Logger): void {}

  async drain(): Promise<void> {}

  async closeAll(): Promise<void> {}

  inFlight(): InFlight {
    return {};
  }
}
