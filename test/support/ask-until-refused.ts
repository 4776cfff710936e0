import { type ClientRequest, request } from "node:http";

/**
 * Sends one request after the other, each on a connection of its own, until one fails. Returns the code of that failure:
 * `ECONNREFUSED` if every connection that was accepted got its response.
 */
export async function askUntilRefused(port: number): Promise<string> {
  for (;;) {
    const failure = await askOnce(port);
    if (failure !== undefined) return failure;
  }
}

/** Returns the code of an error, or the status of a response other than 200; undefined for a complete response. */
function askOnce(port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const sent: ClientRequest = request({ host: "127.0.0.1", port, agent: false }, (response) => {
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
