import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface KeyServer {
  readonly url: URL;
  /** Number of requests. */
  readonly count: () => number;
  /** Responses from now on. */
  answer(body: unknown, options?: AnswerOptions): void;
  close(): Promise<void>;
}

export interface AnswerOptions {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly delayMs?: number;
  /** Raw body, sent instead of JSON. */
  readonly text?: string;
}

/** Starts a server that publishes keys, like an issuer of tokens. */
export async function startKeyServer(): Promise<KeyServer> {
  let count = 0;
  let current: { body: unknown; options: AnswerOptions } = { body: { keys: [] }, options: {} };
  const server = createServer(async (request, response) => {
    count += 1;
    const { body } = current;
    // Serves the keys at the target of the redirect.
    const options = request.url === "/elsewhere" ? {} : current.options;
    await new Promise((resolve) => setTimeout(resolve, options.delayMs ?? 0));
    response.writeHead(options.status ?? 200, {
      "content-type": "application/json",
      ...options.headers,
    });
    response.end(options.text ?? JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: new URL(`http://127.0.0.1:${port}/keys`),
    count: () => count,
    answer(body, options = {}) {
      current = { body, options };
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
