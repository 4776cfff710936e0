import {
  Application,
  type ApplicationOptions,
  HttpError,
  type Middleware,
  noContent,
  redirect,
  text,
} from "espalier";
import { createRecordingLogger, type RecordedLine } from "../../support/recording-logger.ts";

export interface TestApp {
  readonly app: Application;
  readonly lines: readonly RecordedLine[];
}

/** An application that keeps quiet, with this global middleware. */
export function createApp(
  middleware: readonly Middleware[],
  options: ApplicationOptions = {},
): TestApp {
  const logger = createRecordingLogger();
  const app = new Application({ logger, ...options });
  for (const one of middleware) app.use(one);
  return { app, lines: logger.lines };
}

/** A response as `fetch` gives it: its headers cannot be changed. */
function immutable(): Response {
  return Response.redirect("http://localhost/elsewhere", 302);
}

/** Every way in which a request can end, each under the path that bears its name. */
export function addOutcomes(app: Application): void {
  const router = app.getRouter();
  router.get("/ok", () => text("fine"));
  router.get("/invalid", () => text("never"), { validation: { query: { q: { required: true } } } });
  router.get("/failing", () => {
    throw new Error("a secret");
  });
  router.get("/unauthorised", () => {
    throw new HttpError(401);
  });
  router.get("/thrown", () => {
    throw new Response("thrown", { status: 403 });
  });
  router.get("/moved", () => redirect("/ok"));
  router.get("/immutable", immutable);
  router.get("/empty", () => noContent());
  router.get("/not-modified", () => new Response(null, { status: 304 }));
  router.post("/posted", () => text("posted"));
  router.get("/cookies", () => {
    const response = text("cookies");
    response.headers.append("set-cookie", "a=1; Expires=Wed, 21 Oct 2037 07:28:00 GMT");
    response.headers.append("set-cookie", "b=2");
    return response;
  });
}

/** The paths of {@link addOutcomes} with the status of each, and one without a route. */
export const outcomes: readonly (readonly [method: string, path: string, status: number])[] = [
  ["GET", "/ok", 200],
  ["HEAD", "/ok", 200],
  ["GET", "/invalid", 422],
  ["GET", "/failing", 500],
  ["HEAD", "/failing", 500],
  ["GET", "/unauthorised", 401],
  ["GET", "/thrown", 403],
  ["GET", "/moved", 302],
  ["GET", "/immutable", 302],
  ["GET", "/empty", 204],
  ["GET", "/not-modified", 304],
  ["GET", "/cookies", 200],
  ["POST", "/posted", 200],
  ["DELETE", "/ok", 405],
  ["OPTIONS", "/ok", 204],
  ["GET", "/nowhere", 404],
];

/** Creates a request with this client address, as the server of `listen()` provides it. */
export function requestFrom(ip: string, path = "/", init: RequestInit = {}): Request {
  return Object.assign(new Request(new URL(path, "http://localhost/"), init), { ip });
}
