import { EspalierError } from "../../errors.ts";
import type { ApplicationServer, ServeOptions } from "./contract.ts";

/** The place of the server on platforms that listen themselves and call `fetch`. */
export class ServerControl implements ApplicationServer {
  async start(_options: ServeOptions): Promise<never> {
    throw new EspalierError(
      "ERR_APPLICATION_LISTEN",
      "listen() cannot bind a port here: this platform listens itself. " +
        "Deploy with `export default app.worker()`, or hand app.fetch to the platform.",
    );
  }

  /** There are no signals without a process. */
  stopOnSignals(_stop: () => Promise<void>): void {}

  async close(): Promise<void> {}
}
