import { Agent, type ClientRequest, request } from "node:http";

/**
 * Sends one request after the other until one fails. Returns the code of that failure: `ECONNREFUSED` if every connection
 * that was accepted got its response.
 *
 * @param keepAlive sends a request on the same connection until the server closes it, not each on one of its own
 */
export async function askUntilRefused(port: number, keepAlive: boolean): Promise<string> {
  const agent = new Agent({ keepAlive });
  try {
    for (;;) {
      const failure = await askOnce(port, agent);
      if (failure !== undefined) return failure;
    }
  } finally {
    agent.destroy();
  }
}

/** Returns the code of an error, or the status of a response other than 200; undefined for a complete response. */
function askOnce(port: number, agent: Agent): Promise<string | undefined> {
  return new Promise((resolve) => {
    const sent: ClientRequest = request({ host: "127.0.0.1", port, agent }, (response) => {
      response.resume();
      response.on("end", () => {
        resolve(response.statusCode === 200 ? undefined : `status ${response.statusCode}`);
      });
      response.on("error", () => resolve("incomplete"));
    });
    sent.on("error", (error: Error & { readonly code?: string }) => resolve(error.code ?? "error"));
    sent.end();
  });
}
