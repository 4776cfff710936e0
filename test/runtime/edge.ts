import { createRuntimeApplication } from "./application.ts";

const app = createRuntimeApplication();
addEventListener("fetch", (event: unknown) => {
  const { request, respondWith } = event as {
    request: Request;
    respondWith(response: Promise<Response>): void;
  };
  respondWith.call(event, app.fetch(request));
});
