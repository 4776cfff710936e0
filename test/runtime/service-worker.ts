import { createRuntimeApplication } from "./application.ts";

/** The part of a service worker's scope that is used here. */
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

const scope = globalThis as unknown as WorkerScope;
const app = createRuntimeApplication();

scope.addEventListener("install", (event) => event.waitUntil(scope.skipWaiting()));
scope.addEventListener("activate", (event) => event.waitUntil(scope.clients.claim()));
scope.addEventListener("fetch", (event) => {
  if (new URL(event.request.url).pathname.startsWith("/api/"))
    event.respondWith(app.fetch(event.request));
});
