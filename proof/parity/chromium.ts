import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "playwright-core";
import { bundle } from "../../test/support/bundle.ts";
import { launchChromium } from "../../test/support/chromium.ts";
import type { Call } from "./case.ts";
import type { RawAnswer } from "./comparable.ts";
import type { Platform } from "./platforms.ts";

/** What passes between this process, the page and the worker: bytes as base64. */
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

/** Headers and methods that the Fetch standard keeps from pages ("forbidden request-header"). */
const forbiddenHeader =
  /^(accept-encoding|accept-charset|access-control-request-.*|connection|content-length|cookie|date|host|origin|referer|te|trailer|transfer-encoding|upgrade|via|sec-.*|proxy-.*)$/i;

/** Redirects, which a page is never shown; their routes say so in their names. */
const redirecting = /^\/answers\/redirect/;

/** Whether a page can send this call and see its answer; the worker itself is asked the others. */
export function canPageAsk({ path, headers = {}, withCookies = false }: Call): boolean {
  const names = Object.keys(headers);
  return (
    !withCookies && !redirecting.test(path) && !names.some((name) => forbiddenHeader.test(name))
  );
}

/** The application in a service worker, asked by a page, or by data where no page may ask so. */
export async function startChromium(): Promise<Platform> {
  const { code } = await bundle("proof/parity/service-worker.ts", "browser");
  const server = createServer(({ url = "/" }, response) => {
    const isScript = url === "/service-worker.js";
    response.setHeader("content-type", isScript ? "text/javascript" : "text/html");
    // What gets past the worker must not look like an answer of the application.
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

/** Runs inside the page: an ordinary fetch, which the service worker answers. */
async function askAsPage({ method, path, headers, body }: Message): Promise<Reply> {
  const bytes = body === null ? null : Uint8Array.from(atob(body), (char) => char.charCodeAt(0));
  const init = { method, headers, body: bytes, redirect: "manual" as const };
  // Joined as text: two slashes at the beginning are a path here, and no host.
  const response = await fetch(location.origin + path, init);
  let binary = "";
  for (const byte of new Uint8Array(await response.arrayBuffer())) {
    binary += String.fromCharCode(byte);
  }
  return { status: response.status, headers: [...response.headers], body: btoa(binary) };
}

/** Runs inside the page: the worker makes the request itself. */
async function askDirectly(message: Message): Promise<Reply> {
  const response = await fetch("/__direct", { method: "POST", body: JSON.stringify(message) });
  if (response.status !== 200) throw new Error(`The worker answered ${response.status}.`);
  return (await response.json()) as Reply;
}
