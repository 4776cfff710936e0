import {
  type Application,
  Controller,
  error,
  json,
  redirect,
  session,
  stream,
  text,
} from "espalier";
import { upgradeWebSocket } from "espalier/websocket";
import { canaries } from "./canaries.ts";

/** Returns the own keys and values of a parsed body; files as name and size. */
function described(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value ?? null;
  return Object.entries(value).map(([key, one]) => [
    key,
    one instanceof File ? [one.name, one.size] : one,
  ]);
}

class Create extends Controller.for({
  body: {
    name: { type: "string", required: true, min: 2, max: 40 },
    age: { type: "integer", min: 0, max: 200 },
    mail: { type: "email" },
    tags: { type: "array", items: { type: "string" } },
    "address.city": { type: "string" },
  },
}) {
  async handle(): Promise<Response> {
    return this.created({ name: this.body.name });
  }
}

class Search extends Controller.for({
  query: { q: { type: "string", max: 200 }, page: { type: "integer", min: 1, default: 1 } },
}) {
  async handle(): Promise<Response> {
    return this.success({ q: this.query.q, page: this.query.page });
  }
}

/** Responds with the caller's identity, after a given number of event loop turns. */
class Waiting extends Controller {
  #id = "";
  async handle(): Promise<Response> {
    this.#id = this.context.params["id"] ?? "";
    this.context.state["id"] = this.#id;
    this.context.user = this.context.headers.get("x-test-user") as never;
    for (let turns = Number(this.#id) % 4; turns > 0; turns--) {
      await new Promise((resolve) => setTimeout(resolve, turns));
    }
    const { id, user, params, state, cookies, query } = this.context;
    const seen = [this.#id, id, user, params["id"], state["id"], cookies.get("who"), query["id"]];
    return this.json(seen);
  }
}

class Keep extends Controller.for({
  body: { key: { type: "string", required: true }, value: {} },
}) {
  async handle(): Promise<Response> {
    const { key, value } = this.body;
    if (hasFile(this.body)) return error("A cache stores JSON, and no files.", 415);
    await this.context.app.cacheSet(key, value ?? null, 60_000);
    return this.json((await this.context.app.cacheGet(key)) ?? null);
  }
}

class Tell extends Controller.for({
  body: { name: { type: "string", required: true }, value: {} },
}) {
  async handle(): Promise<Response> {
    await this.context.app.emit(this.body.name, this.body.value);
    return this.json(this.body.value ?? null);
  }
}

/** Registers routes that echo requests, and routes that fail on purpose. */
export function addRoutes(app: Application): void {
  const router = app.getRouter();
  router.get("/", () => text("home"));
  router.all("/any/*rest", (ctx) => json([ctx.method, ctx.params["rest"]]));
  router.get("/path/:value", (ctx) => json(ctx.params.value));
  router.all("/reset/:token/*rest", (ctx) => json([ctx.method]));
  router.get("/two/:a/:b", (ctx) => json(ctx.params));
  router.get(String.raw`/number/:id(\d+)`, (ctx) => json(ctx.params));
  router.get("/query", (ctx) => json(described(ctx.query)));
  router.get("/headers", (ctx) => json(ctx.headers.get("x-echo")));
  router.get("/cookie", (ctx) => json(ctx.cookies.get(ctx.query["name"] ?? "who") ?? null));
  router.get("/search", Search);
  router.get("/wait/:id", Waiting);
  router.get("/go", (ctx) => redirect(`/path/${encodeURIComponent(ctx.query["to"] ?? "")}`));
  router.get("/long", () => text("long ".repeat(2_000)));
  router.get("/stream", () => stream(pieces(), { type: "text/plain" }));
  router.get("/socket", (ctx) => upgradeWebSocket(ctx, { message: (to, data) => to.send(data) }));
  router.get("/mine", () => text("mine"), { middleware: ["auth"] });
  router.get("/never", () => text("never"), { middleware: ["auth", "can:never"] });

  router.post("/echo", (ctx) => json(ctx.body ?? null));
  router.post("/large", (ctx) => json(ctx.body ?? null), { bodyLimit: 1_000_000 });
  router.post("/described", (ctx) => json(described(ctx.body)));
  router.post("/unread", () => text("unread"), { bodyParser: false });
  router.post("/raw", async (ctx) => {
    const bytes = await ctx.request.arrayBuffer().catch(() => undefined);
    return bytes === undefined
      ? error("The body is incomplete.", 400)
      : text(String(bytes.byteLength));
  });
  router.post("/create", Create);
  router.put("/session/:name", (ctx) => {
    // A session in a cookie is limited in size: check input that is stored in it.
    if ((ctx.rawBody?.length ?? 0) > 1_500)
      return error("The body is too large for the session.", 413);
    if (hasFile(ctx.body)) return error("A session stores JSON, and no files.", 415);
    session(ctx).set(ctx.params.name, ctx.body ?? null);
    return json(session(ctx).get(ctx.params.name) ?? null);
  });
  router.put("/cache", Keep);
  router.put("/event", Tell);

  router.get("/fails/error", () => {
    throw new Error(canaries.thrown);
  });
  router.get("/fails/later", async () => {
    await new Promise((resolve) => setTimeout(resolve, 1));
    throw { secret: canaries.service };
  });
  router.get("/fails/nothing", () => undefined as never);
  // Exposes the inherited properties, so that the proof can compare them.
  router.get("/prototype", () => json(inherited()));
}

async function* pieces(): AsyncGenerator<string> {
  for (let piece = 0; piece < 5; piece += 1) {
    yield `piece ${piece}\n`;
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

/** A form's fields are strings, files, or lists of both. */
function hasFile(body: unknown): boolean {
  return Object.values(body ?? {}).some((value: unknown) =>
    Array.isArray(value) ? value.some((item) => item instanceof File) : value instanceof File,
  );
}

function inherited(): string[] {
  return [Object.prototype, Array.prototype, Function.prototype].flatMap((prototype) =>
    Reflect.ownKeys(prototype).map(String),
  );
}
