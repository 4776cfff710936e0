import { app } from "./app.ts";

declare const self: ServiceWorkerGlobalScope;

// Controls open pages immediately, without a reload.
self.addEventListener("install", (event) => event.waitUntil(self.skipWaiting()));
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("fetch", (event) => {
  const { origin, pathname } = new URL(event.request.url);
  // Other requests go to the network: the application would respond with 404.
  if (origin === self.location.origin && pathname.startsWith("/api/")) {
    event.respondWith(app.fetch(event.request));
  }
});
