import { EspalierError } from "../../errors.ts";
import type { Logger } from "../../observability/logger.ts";
import type { ApplicationServer, InFlight, ListenOptions, ServeOptions } from "./contract.ts";

/** @throws EspalierError `ERR_APPLICATION_LISTEN` always */
export function resolveListenOptions(_options: ListenOptions, _defaults: object): never {
  throw new EspalierError(
    "ERR_APPLICATION_LISTEN",
    "listen() cannot bind a port on this platform, which listens itself. " +
      "Deploy with `export default app.worker()`, or pass app.fetch to the platform.",
  );
}

/** Placeholder for the server on platforms that listen themselves and call `fetch`. */
export class ServerControl implements ApplicationServer {
  /** Not reached by `listen()`, which resolves its options first. */
  async start(options: ServeOptions): Promise<never> {
    return resolveListenOptions({}, options);
  }

  /** Does nothing: these platforms have no process signals. */
  stopOnSignals(_stop: () => Promise<void>, _logger: Logger): void {}

  async drain(): Promise<void> {}

  async closeAll(): Promise<void> {}

  inFlight(): InFlight {
    return {};
  }
}
