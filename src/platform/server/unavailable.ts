import { EspalierError } from "../../errors.ts";
import type { ApplicationServer, InFlight } from "./contract.ts";

/** Placeholder for the server on platforms that listen themselves and call `fetch`. */
export class ServerControl implements ApplicationServer {
  /** @throws EspalierError `ERR_APPLICATION_LISTEN` always */
  async listen(): Promise<never> {
    throw new EspalierError(
      "ERR_APPLICATION_LISTEN",
      "listen() cannot bind a port on this platform, which listens itself. " +
        "Deploy with `export default app.worker()`, or pass app.fetch to the platform.",
    );
  }

  beginStop(): undefined {}

  async drain(): Promise<void> {}

  async closeAll(): Promise<void> {}

  inFlight(): InFlight {
    return {};
  }
}
