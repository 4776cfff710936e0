import { afterAll, beforeAll, expect } from "vitest";
import { type ServerProcess, startServerProcess } from "./server-process.ts";

/** Runs a server for the tests of a suite, and expects it to end properly. Its address is known once they run. */
export function serveForSuite(
  ...[entry, runtime]: Parameters<typeof startServerProcess>
): Pick<ServerProcess, "url"> {
  let server: ServerProcess;
  beforeAll(async () => {
    server = await startServerProcess(entry, runtime);
  });
  afterAll(async () => {
    // SIGTERM drains the application and ends the process.
    expect(await server.stop()).toBe(0);
  });
  return {
    get url() {
      return server.url;
    },
  };
}
