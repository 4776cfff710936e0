import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "playwright-core";
import { bundle } from "../../test/support/bundle.ts";
import { launchChromium } from "../../test/support/chromium.ts";
import type { Call } from "./case.ts";
import type { RawAnswer } from "./comparable.ts";
import type { Platform } from "./platforms.ts";

/** Message between this process, the page and the worker: bytes as base64. */
interface Message {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

interface Reply {
  readonly status: number;
  readonly headers: [string, string][];
  readonly body: string;
}

/** Headers and methods that the Fetch standard forbids to pages ("forbidden request-header"). */
const forbiddenHeader =
  /^(accept-encoding|accept-charset|access-control-request-.*|connection|content-length|cookie|date|host|origin|referer|te|trailer|transfer-encoding|upgrade|via|sec-.*|proxy-.*)$/i;

/** Redirects, which are not visible to a page; identified by the names of their routes. */
const redirecting = /^\/answers\/redirect/;

/** Returns true if a page can send this call and read its response; others are sent inside the worker. */
export function canPageAsk({ path, headers = {}, withCookies = false }: Call): boolean {
  const names = Object.keys(headers);
  return (
    !withCookies && !redirecting.test(path) && !names.some((name) => forbiddenHeader.test(name))
  );
}

/** Starts the application in a service worker. Requests come from a page, or from messages if a page cannot send them. */
export async function startChromium(): Promise<Platform> {
  const { code } = await bundle("proof/parity/service-worker.ts", "browser");
  const server = createServer(({ url = "/" }, response) => {
    const isScript = url === "/service-worker.js";
    response.setHeader("content-type", isScript ? "text/javascript" : "text/html");
    // Requests that bypass the worker must not look like responses of the application.
    if (url !== "/" && !isScript) response.statusCode = 599;
    response.end(isScript ? code : "<!doctype html><title>parity</title>");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const browser = await launchChromium();
  const page = await browser.newPage();
  await page.goto(`${base}/`);
  await page.evaluate(async () => {
    await navigator.serviceWorker.register("/service-worker.js", { type: "module" });
    await navigator.serviceWorker.ready;
    while (navigator.serviceWorker.controller === null) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  });
  return {
    base,
    send: (call) => sendFromPage(page, call),
    async stop() {
      await browser.close();
      server.close();
    },
  };
}

async function sendFromPage(page: Page, call: Call): Promise<RawAnswer> {
  const { method = "GET", path, headers = {}, body } = call;
  const message: Message = {
    method,
    path,
    headers,
    body: body === undefined ? null : Buffer.from(body).toString("base64"),
  };
  const {
    status,
    headers: found,
    body: content,
  } = canPageAsk(call)
    ? await page.evaluate(askAsPage, message)
    : await page.evaluate(askDirectly, message);
  return { status, headers: found, bytes: new Uint8Array(Buffer.from(content, "base64")) };
}

/** Runs in the page: a normal fetch, handled by the service worker. */
async function askAsPage({ method, path, headers, body }: Message): Promise<Reply> {
  const bytes = body === null ? null : Uint8Array.from(atob(body), (char) => char.charCodeAt(0));
  const init = { method, headers, body: bytes, redirect: "manual" as const };
  // Concatenated instead of resolved: a leading `//` is a path here, not a host.
  const response = await fetch(location.origin + path, init);
  let binary = "";
  for (const byte of new Uint8Array(await response.arrayBuffer())) {
    binary += String.fromCharCode(byte);
  }
  return { status: response.status, headers: [...response.headers], body: btoa(binary) };
}

/** Runs in the page: the worker creates the request itself. */
async function askDirectly(message: Message): Promise<Reply> {
  const response = await fetch("/__direct", { method: "POST", body: JSON.stringify(message) });
  if (response.status !== 200) throw new Error(`The worker responded with ${response.status}.`);
  return (await response.json()) as Reply;
}
