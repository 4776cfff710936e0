import { Agent, request } from "node:http";

/** Response of a proxy. */
export interface ProxyResponse {
  readonly status: number;
  readonly body: string;
}

/** Creates an agent that keeps its connections to the proxy open. */
export function createAgent(maxSockets: number): Agent {
  return new Agent({ keepAlive: true, maxSockets });
}

/** Sends a request; rejects without a complete response. */
export function send(
  port: number,
  method: string,
  path: string,
  { agent, body }: { readonly agent?: Agent; readonly body?: Uint8Array | string } = {},
): Promise<ProxyResponse> {
  return new Promise((resolve, reject) => {
    const headers = body === undefined ? {} : { "content-type": "application/json" };
    const options = { host: "127.0.0.1", port, method, path, headers, agent };
    const outgoing = request(options, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
      incoming.on("error", reject);
      incoming.on("end", () => {
        resolve({ status: incoming.statusCode ?? 0, body: Buffer.concat(chunks).toString() });
      });
    });
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}

/** Reads the counts of `listen.ts`, past the proxy. */
export async function readCounts(
  port: number,
): Promise<{ readonly admin: number; readonly smuggled: number; readonly openStreams: number }> {
  return JSON.parse((await send(port, "GET", "/counts")).body);
}
