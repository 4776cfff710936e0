import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";

/** The request that an upstream has received, as `/echo` sends it back. */
export interface Echo {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: number;
}

export interface Upstream {
  readonly url: string;
  /** Paths of requests whose client has left before the end of the response. */
  readonly left: readonly string[];
  /** Paths of requests of which a part of the body has arrived. */
  readonly receiving: Set<string>;
  /** Paths of requests whose body has arrived whole. */
  readonly complete: Set<string>;
  /** Sends the rest of the response to `/drip`. */
  finishDrip(): void;
  close(): void;
}

/** Starts the server that the proxy forwards to. */
export async function startUpstream(): Promise<Upstream> {
  const left: string[] = [];
  const receiving = new Set<string>();
  const complete = new Set<string>();
  let finishDrip = (): void => {};
  const server: Server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://upstream");
    response.on("close", () => {
      if (!response.writableFinished) left.push(pathname);
    });
    request.on("data", () => receiving.add(pathname));
    request.on("end", () => complete.add(pathname));
    // The client of a half upload leaves.
    request.on("error", () => {});
    respond(pathname, request, response, (finish) => {
      finishDrip = finish;
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    left,
    receiving,
    complete,
    finishDrip: () => finishDrip(),
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

function respond(
  pathname: string,
  request: IncomingMessage,
  response: ServerResponse,
  onDrip: (finish: () => void) => void,
): void {
  if (pathname === "/silent") return;
  if (pathname === "/broken") {
    response.writeHead(200, { "content-type": "text/plain" });
    response.write("first ");
    setTimeout(() => response.destroy(), 100);
  } else if (pathname === "/drip") {
    response.writeHead(200, { "content-type": "text/plain" });
    response.write("first ");
    onDrip(() => response.end("last"));
  } else if (pathname === "/hop") {
    response.writeHead(200, [
      ...["connection", "keep-alive, X-Hop", "x-hop", "1", "keep-alive", "timeout=5"],
      ...["proxy-authenticate", "Basic", "te", "trailers", "upgrade", "h2c"],
      ...["set-cookie", "a=1", "set-cookie", "b=2", "x-kept", "yes"],
    ]);
    response.end("hop");
  } else if (pathname === "/gzip") {
    response.writeHead(200, { "content-type": "text/plain", "content-encoding": "gzip" });
    response.end(gzipSync("unpacked ".repeat(1_000)));
  } else if (pathname === "/redirect") {
    response.writeHead(302, { location: "/elsewhere" }).end();
  } else if (pathname === "/teapot") {
    response.writeHead(418, "I'm a teapot", { "x-kind": "tea" }).end("short and stout");
  } else {
    echo(request, response);
  }
}

function echo(request: IncomingMessage, response: ServerResponse): void {
  let bytes = 0;
  request.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
  });
  request.on("end", () => {
    const { method, url, headers } = request;
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ method, url, headers, bytes }));
  });
}
