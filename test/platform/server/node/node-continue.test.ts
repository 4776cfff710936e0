import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { Application } from "espalier";
import { handleExpectContinue, toNodeHandler } from "espalier/node";
import { afterEach, expect, it } from "vitest";
import { exchange } from "../../../support/raw-http.ts";

let server: Server | undefined;
afterEach(() => new Promise((resolve) => server?.close(resolve)));

const measured = (body: string): Response =>
  new Response(body, { headers: { "content-length": String(body.length) } });

/** Returns the output for a slow response followed by a request with `Expect: 100-continue`. */
async function askPipelined(prepare: (server: Server) => void): Promise<string> {
  const app = new Application();
  app.getRouter().get("/slow", async () => {
    await new Promise((resolve) => setTimeout(resolve, 50));
    return measured("slow");
  });
  app.getRouter().get("/fast", () => measured("fast"));
  const own = createServer(toNodeHandler(app));
  server = own;
  prepare(own);
  await new Promise<void>((resolve) => own.listen(0, "127.0.0.1", resolve));
  const { port } = own.address() as AddressInfo;
  const request = (path: string, ...headers: string[]): string =>
    [`GET ${path} HTTP/1.1`, "Host: localhost", ...headers, "", ""].join("\r\n");
  const expecting = request("/fast", "Expect: 100-continue");
  return exchange(port, request("/slow") + expecting + request("/fast", "Connection: close"));
}

/** The bodies of the answers, by their lengths as a client reads them. */
function bodiesOf(answer: string): readonly string[] {
  const bodies: string[] = [];
  let rest = answer;
  for (;;) {
    rest = rest.replace(/^HTTP\/1\.1 100 Continue\r\n\r\n/, "");
    const head = /^HTTP\/1\.1 200 .*?content-length: (\d+).*?\r\n\r\n/is.exec(rest);
    if (head === null) return rest === "" ? bodies : [...bodies, `no answer: ${rest}`];
    const end = head[0].length + Number(head[1]);
    bodies.push(rest.slice(head[0].length, end));
    rest = rest.slice(end);
  }
}

it("a custom Node server responds to pipelined expectations in order if enabled", async () => {
  expect(bodiesOf(await askPipelined(handleExpectContinue))).toEqual(["slow", "fast", "fast"]);
});

it("without it Node writes the interim response into another one's body", async () => {
  expect(bodiesOf(await askPipelined(() => {}))).not.toEqual(["slow", "fast", "fast"]);
});
