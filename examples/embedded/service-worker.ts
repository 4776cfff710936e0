import { app } from "./app.ts";

declare const self: ServiceWorkerGlobalScope;

// From the first visit on, not from the second.
self.addEventListener("install", (event) => event.waitUntil(self.skipWaiting()));
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("fetch", (event) => {
  const { origin, pathname } = new URL(event.request.url);
  // Everything else goes to the network: the application would answer 404.
  if (origin === self.location.origin && pathname.startsWith("/api/")) {
    event.respondWith(app.fetch(event.request));
  }
});
