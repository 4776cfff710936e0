import {
  Application,
  HttpError,
  json,
  type Middleware,
  type RequestContext,
  type Router,
  redirect,
  text,
} from "espalier";
import { createPolicies } from "./cors-policies.ts";
import { addEventStreams } from "./event-streams.ts";
import { Records } from "./records.ts";

/** Smallest valid picture. */
const picture = "R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==";
const silent = (): void => {};

/**
 * Creates the application that the pages ask: the same routes below `/<policy>` for each CORS policy, and
 * below `/none` without CORS.
 */
export function createBrowserApplication(pageOrigin: string): Application {
  // Some streams and routes fail on purpose.
  const app = new Application({
    logger: { debug: silent, info: silent, warn: silent, error: silent },
  });
  const records = new Records();
  const policies = createPolicies(pageOrigin);
  app.use((ctx, next) => {
    records.add(ctx);
    const [, name = ""] = ctx.url.pathname.split("/");
    return policies.get(name)?.handle(ctx, next) ?? next();
  });
  for (const name of [...policies.keys(), "none"]) {
    app.getRouter().group(`/${name}`, (group) => {
      addResponses(group, records);
      addEventStreams(group, records);
    });
  }
  return app;
}

function addResponses(router: Router, records: Records): void {
  const methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "PURGE"];
  router.match(methods, "/echo", (ctx) => json([ctx.method, Object.fromEntries(ctx.headers)]));
  router.get("/log", (ctx) => json(records.requestsOf(ctx.query["token"] ?? "")));
  router.get("/headers", setHeaders);
  router.get("/cookie", (ctx) => {
    ctx.cookies.set("visitor", ctx.query["value"] ?? "", { secure: false });
    return text("");
  });
  router.get("/cacheable", () => withHeaders(text("cached"), { "cache-control": "max-age=600" }));
  router.get("/type", (ctx) => {
    const type = ctx.query["type"];
    return new Response(new TextEncoder().encode("data: a\n\n"), {
      headers: type === undefined ? {} : { "content-type": type },
    });
  });
  router.match(methods, "/redirect", (ctx) =>
    redirect(ctx.query["to"] ?? "", Number(ctx.query["status"] ?? 302)),
  );
  router.match(methods, "/status", (ctx) => {
    const status = Number(ctx.query["status"]);
    if (ctx.query["thrown"] === undefined) return text("returned", status);
    throw new HttpError(status);
  });
  router.get("/error", () => {
    throw new Error("This route throws.");
  });
  router.get("/rejected", () => text(""), { middleware: [reject] });
  router.post("/validated", () => text(""), { validation: { name: { required: true } } });
  router.get("/picture", () => {
    const bytes = Uint8Array.from(atob(picture), (letter) => letter.charCodeAt(0));
    return new Response(bytes, { headers: { "content-type": "image/gif" } });
  });
  router.get("/module.js", () =>
    withHeaders(text("export const value = 7;"), { "content-type": "text/javascript" }),
  );
  router.get("/range", () =>
    withHeaders(text("part", 206), { "content-range": "bytes 0-3/100", "accept-ranges": "bytes" }),
  );
}

const reject: Middleware = () => {
  throw new HttpError(401, "Credentials are required.");
};

function setHeaders(ctx: RequestContext): Response {
  ctx.cookies.set("unreadable", "1", { secure: false });
  return withHeaders(text("body"), {
    "x-exposed": "exposed",
    "x-hidden": "hidden",
    etag: '"v1"',
    "cache-control": "no-store",
    "content-language": "en",
    expires: "0",
    "last-modified": "Sun, 29 Nov 2026 00:00:00 GMT",
    pragma: "no-cache",
  });
}

function withHeaders(response: Response, headers: Readonly<Record<string, string>>): Response {
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
  return response;
}
