import { request } from "node:http";

/** A response as its bytes came, nothing decoded and nothing joined. */
export interface WireResponse {
  readonly status: number;
  readonly body: Buffer;
  /** The values of the header's lines, in their order. */
  all(name: string): string[];
}

/** Sends a request and reads the response with Node's own client, which decodes no content coding. */
export function readResponse(
  port: number,
  { method, path, headers, body }: WireRequest,
): Promise<WireResponse> {
  return new Promise((resolve, reject) => {
    const length = body === "" ? {} : { "content-length": String(Buffer.byteLength(body)) };
    const options = { host: "127.0.0.1", port, path, method, agent: false as const };
    const sent = request({ ...options, headers: { ...headers, ...length } }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", reject);
      response.on("end", () => {
        const lines = response.rawHeaders;
        resolve({
          status: response.statusCode ?? 0,
          body: Buffer.concat(chunks),
          all: (name) => lines.filter((_, index) => index % 2 === 1 && isNamed(lines, index, name)),
        });
      });
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

interface WireRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Raw headers are a list of names and values in turn. */
function isNamed(lines: readonly string[], valueIndex: number, name: string): boolean {
  return lines[valueIndex - 1]?.toLowerCase() === name;
}
