import { type Agent, type IncomingHttpHeaders, request } from "node:http";

/** A request to a server on the loopback interface. */
export interface SentRequest {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** A complete response; each character of its body is a byte. */
export interface ReceivedResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/**
 * Sends a request over the connections of an agent, and reads the whole response.
 *
 * @param timeoutMs time without a byte after which it rejects, in milliseconds; default 0, never
 */
export function exchange(
  port: number,
  agent: Agent,
  { method, path, headers = {}, body }: SentRequest,
  timeoutMs = 0,
): Promise<ReceivedResponse> {
  const length = body === undefined ? {} : { "content-length": Buffer.byteLength(body) };
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        host: "127.0.0.1",
        port,
        agent,
        method,
        path,
        headers: { ...headers, ...length },
        timeout: timeoutMs,
      },
      (response) => {
        let text = "";
        response.setEncoding("latin1").on("data", (chunk) => {
          text += chunk;
        });
        response.on("error", reject);
        response.on("end", () => {
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text });
        });
      },
    );
    sent.on("timeout", () => sent.destroy(new Error(`no byte for ${timeoutMs} ms`)));
    sent.on("error", reject);
    sent.end(body);
  });
}
