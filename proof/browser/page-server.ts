import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

const pages = new URL("pages/", import.meta.url);
const document =
  '<!doctype html><meta charset="utf-8"><title>Cases</title><body>' +
  '<script type="module" src="/page.mjs"></script>';

/** Serves the page with the cases; its origin is another one than that of the application. */
export async function startPageServer(): Promise<{ origin: string; stop: () => void }> {
  const server = createServer((request, response) => {
    const [, name] = /^\/([a-z-]+\.mjs)$/.exec(request.url ?? "") ?? [];
    const type = name === undefined ? "text/html" : "text/javascript";
    response.setHeader("content-type", type);
    response.end(name === undefined ? document : readFileSync(new URL(name, pages)));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo; // it listens on a port
  return {
    origin: `http://127.0.0.1:${port}`,
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
