import { EspalierError } from "../../errors.ts";
import type { RunningServer, ServeOptions } from "./contract.ts";

/** The place of the server on platforms that listen themselves and call `fetch`. */
export function serve(_options: ServeOptions): Promise<RunningServer> {
  const error = new EspalierError(
    "ERR_APPLICATION_LISTEN",
    "listen() cannot bind a port here: this platform listens itself. " +
      "Deploy with `export default app.worker()`, or hand app.fetch to the platform.",
  );
  return Promise.reject(error);
}

/** There are no signals without a process. */
export function stopOnSignals(_stop: () => Promise<void>): () => void {
  return () => {};
}
