import { createParityApplication } from "./application.ts";

/** The subset of a service worker's scope used here. */
interface WorkerScope {
  skipWaiting(): Promise<void>;
  readonly clients: { claim(): Promise<void> };
  addEventListener(type: string, listener: (event: WorkerEvent) => void): void;
}

interface WorkerEvent {
  readonly request: Request;
  respondWith(response: Promise<Response>): void;
  waitUntil(promise: Promise<unknown>): void;
}

/** A request that a page cannot send, passed to the worker as a message. */
interface DirectCall {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

const scope = globalThis as unknown as WorkerScope;
const app = createParityApplication();

scope.addEventListener("install", (event) => event.waitUntil(scope.skipWaiting()));
scope.addEventListener("activate", (event) => event.waitUntil(scope.clients.claim()));
scope.addEventListener("fetch", (event) => {
  const { pathname } = new URL(event.request.url);
  event.respondWith(
    pathname === "/__direct" ? answerDirectly(event.request) : app.fetch(event.request),
  );
});

async function answerDirectly(asking: Request): Promise<Response> {
  const { method, path, headers, body } = (await asking.json()) as DirectCall;
  const bytes = body === null ? null : Uint8Array.from(atob(body), (char) => char.charCodeAt(0));
  const request = new Request(new URL(asking.url).origin + path, { method, body: bytes });
  // Browsers drop headers such as `Cookie` and `Origin` from a Request created by a script, unlike
  // requests from the network. The application must receive them.
  Object.defineProperty(request, "headers", { value: new Headers(headers) });
  const response = await app.fetch(request);
  const content = new Uint8Array(await response.arrayBuffer());
  let binary = "";
  for (const byte of content) binary += String.fromCharCode(byte);
  return Response.json({
    status: response.status,
    headers: [...response.headers],
    body: btoa(binary),
  });
}
