import {
  CompressionMiddleware,
  ETagMiddleware,
  json,
  type Router,
  SecureHeadersMiddleware,
  sse,
  stream,
  text,
} from "espalier";

const long = "a tree trained flat against a wall ".repeat(200);

async function* pieces(): AsyncGenerator<string> {
  for (let piece = 0; piece < 20; piece += 1) yield long;
}

function withHeader(name: string, value: string): Response {
  const response = text(long);
  response.headers.set(name, value);
  return response;
}

/** Registers routes with ETags, compression, both, and security headers. */
export function addCaching(router: Router): void {
  router.group("/tagged", { middleware: [new ETagMiddleware()] }, (group) => {
    group.get("/text", () => text("tagged"));
    group.post("/text", () => text("tagged"));
    group.get("/stream", () => stream(pieces(), { type: "text/plain" }));
    group.get("/own", () => withHeader("etag", '"own"'));
    group.get("/no-store", () => withHeader("cache-control", "no-store"));
    group.get("/cached", () => withHeader("cache-control", "public, max-age=60"));
    group.get("/failing", () => text("failing", 500));
  });
  router.group("/weak", { middleware: [new ETagMiddleware({ weak: true })] }, (group) => {
    group.get("/text", () => text("tagged"));
  });
  router.group("/compressed", { middleware: [new CompressionMiddleware()] }, (group) => {
    group.get("/long", () => text(long));
    group.get("/short", () => text("short"));
    group.get("/json", () => json({ long }));
    group.get("/stream", () => stream(pieces(), { type: "text/plain" }));
    group.get("/events", () => sse([long]));
    group.get("/image", () => new Response(long, { headers: { "content-type": "image/png" } }));
    group.get("/no-transform", () => withHeader("cache-control", "no-transform"));
    group.get("/tagged", () => withHeader("etag", '"strong"'));
    group.get("/varied", () => withHeader("vary", "Accept"));
  });
  const both = [new CompressionMiddleware(), new ETagMiddleware()];
  router.group("/both", { middleware: both }, (group) => group.get("/long", () => text(long)));
  const strict = new SecureHeadersMiddleware({
    contentSecurityPolicy: { defaultSrc: ["'self'"], upgradeInsecureRequests: true },
    permissionsPolicy: "camera=()",
  });
  router.group("/secure", { middleware: [strict] }, (group) => {
    group.get("/text", () => text("secure"));
    group.get("/own", () => withHeader("x-frame-options", "DENY"));
    group.get("/throws", () => {
      throw new Error("x");
    });
  });
}
