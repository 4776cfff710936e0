import {
  Application,
  CompressionMiddleware,
  createBasicAuthMiddleware,
  ETagMiddleware,
  HttpError,
  json,
  redirect,
  SecureHeadersMiddleware,
  SessionMiddleware,
  session,
  sse,
  stream,
  text,
} from "espalier";

const silent = (): void => {};
const app = new Application({
  host: "127.0.0.1",
  trustProxy: 1,
  cors: { origins: ["https://app.example"], credentials: true, exposedHeaders: ["etag"] },
  bodyParser: { limit: 1_000 },
  logger: { debug: silent, info: silent, warn: silent, error: silent },
});
app.use(new SecureHeadersMiddleware({ contentSecurityPolicy: { defaultSrc: ["'self'"] } }));
app.use(new CompressionMiddleware());
app.use(new ETagMiddleware());
app.middleware(
  "staff",
  createBasicAuthMiddleware({ realm: "staff", findUser: () => Promise.resolve(null) }),
);
app.middleware("session", new SessionMiddleware({ secret: "a-secret-of-more-than-32-bytes-000" }));

const router = app.getRouter();
router.get("/", () => text("hello"));
router.get("/long", () => text("long ".repeat(2_000)));
router.get("/json", () => json({ title: "Rain" }, 200, { "cache-control": "public, max-age=60" }));
router.post("/json", (ctx) => json(ctx.body ?? null, 201, { location: "/json" }));
router.get("/empty", () => new Response(null, { status: 204 }));
router.delete("/empty", () => new Response(null, { status: 204 }));
router.get("/redirect", () => redirect("/json"));
router.get("/moved", () => redirect("/json", 308));
router.get("/staff", () => text("staff"), { middleware: ["staff"] });
router.get("/fails", () => {
  throw new HttpError(503, "Back soon.", { headers: { "retry-after": "10" } });
});
router.get("/stream", () => stream(chunks(), { type: "text/plain" }));
router.get("/events", () => sse(events));
router.get(
  "/visit",
  (ctx) => {
    session(ctx).set("visits", 1);
    ctx.cookies.set("colour", "blue", { maxAgeSeconds: 60 });
    return text("welcome");
  },
  { middleware: ["session"] },
);
router.get("/created", () =>
  json({}, 200, { "last-modified": "Sat, 28 Nov 2026 10:00:00 GMT", vary: "Origin" }),
);

async function* chunks(): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < 3; at += 1) yield new TextEncoder().encode("piece");
}

async function* events(): AsyncGenerator<string> {
  yield "one";
  yield "two";
}

const { url } = await app.listen({ port: 0 });
console.log(`listening ${url}`);
