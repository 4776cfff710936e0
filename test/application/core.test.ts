import { describe, expect, it, vi } from "vitest";
import {
  Application,
  BootError,
  bodies,
  Controller,
  clientAddress,
  container,
  cookies,
  hostCheck,
  json,
  multipart,
  type RequestContext,
  ruleValidator,
  text,
  trace,
  urls,
} from "../../src/core.ts";
import { Auth, createAuthMiddleware, RateLimitMiddleware } from "../../src/index.ts";
import { createAuthorizationMiddleware } from "../../src/middleware/authorization.ts";

const silent = { debug() {}, info() {}, warn() {}, error: vi.fn() };

describe("the application of espalier/core", () => {
  it("refuses a controller that does not extend Controller", async () => {
    class Greet {
      handle(): Response {
        return text("Hello");
      }
    }
    const app = new Application({ logger: silent });
    app.getRouter().get("/greet", Greet as never);
    const error = await app.boot().catch((thrown: unknown) => thrown as BootError);
    expect(error).toMatchObject({ errors: [{ code: "ERR_ROUTE_BAD_HANDLER" }] });
    expect(String(error)).toContain("GET /greet: the class Greet must extend Controller");
  });

  it("has routes, middleware and controllers, and services with the part for them", async () => {
    class Greet extends Controller {
      static inject = ["greeting"];
      readonly #greeting: string;
      constructor(greeting: string) {
        super();
        this.#greeting = greeting;
      }
      override handle() {
        return this.success(`${this.#greeting} ${this.context.params["name"]}`);
      }
    }
    const app = new Application({ container });
    app.singleton("greeting", async () => "Hello");
    app.use(async (_ctx, next) => {
      const response = await next();
      response.headers.set("x-seen", "yes");
      return response;
    });
    app.getRouter().get("/hello/:name", Greet);

    const response = await app.worker().fetch(new Request("http://localhost/hello/ada"));
    expect(await response.json()).toEqual({ success: true, data: "Hello ada" });
    expect(response.headers.get("x-seen")).toBe("yes");
    const missing = await app.request("/nothing");
    expect(missing.status).toBe(404);
    expect(missing.headers.get("x-seen")).toBe("yes");
    expect(missing.headers.get("content-type")).toBe("application/problem+json");
    await app.stop();
  });

  it("hides errors, limits bodies and refuses forged headers", async () => {
    const app = new Application({ bodies, logger: silent });
    app.middleware("guard", () => text("no", 401));
    app.getRouter().get("/admin", () => text("in"), { middleware: ["guard"] });
    app.getRouter().get("/url", (ctx) => text(ctx.href));
    app.getRouter().post("/echo", (ctx) => json(ctx.body));
    app.getRouter().get("/throws", () => {
      throw new Error("pw=hunter2 at /srv/app.ts");
    });

    const failed = await app.request("/throws");
    expect([failed.status, await failed.text()]).toEqual([500, expect.not.stringContaining("pw=")]);
    for (const path of ["/admin", "/%61dmin", "/admin/", "/x/../admin"]) {
      expect([path, (await app.request(path)).status]).toEqual([path, 401]);
    }
    const forged = { "x-forwarded-host": "evil.example", "x-forwarded-proto": "https" };
    const url = await app.request("/url", { headers: forged });
    expect(await url.text()).toBe("http://localhost/url");
    const send = async (body: string, type = "application/json"): Promise<number> =>
      (await app.request("/echo", { method: "POST", body, headers: { "content-type": type } }))
        .status;
    expect(await send(JSON.stringify("x".repeat(1_048_575)))).toBe(413);
    expect(await send("[".repeat(300))).toBe(413);
    expect(await send("a&".repeat(1_001), "application/x-www-form-urlencoded")).toBe(413);
  });

  it("validates with the given rules", async () => {
    const app = new Application({ bodies, validation: ruleValidator });
    app.getRouter().post("/books", (ctx) => json(ctx.validated), {
      validation: { title: { type: "string", required: true } },
    });
    const send = (body: unknown): Promise<Response> =>
      app.request("/books", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      });
    expect(await (await send({ title: "Dune" })).json()).toEqual({ title: "Dune" });
    expect((await send({})).status).toBe(422);
  });

  it("reports at boot that rules need a validator", async () => {
    const app = new Application({ logger: silent });
    app.getRouter().get("/books", () => json([]), { validation: { page: { type: "integer" } } });
    await expect(app.boot()).rejects.toThrow(BootError);
    await expect(app.boot()).rejects.toThrow(
      /GET \/books: validation rules require a validator, which the application does not have\. Pass one: import/,
    );
    expect((await app.request("/books")).status).toBe(500);
  });

  it("has the parts of the context that are passed to it", async () => {
    const app = new Application({
      bodies,
      clientAddress,
      cookies,
      multipart,
      trace,
      trustProxy: 1,
    });
    app.getRouter().post("/all", (ctx) => {
      ctx.cookies.set("seen", "yes");
      return json({ ip: ctx.ip, url: ctx.href, form: ctx.body, trace: ctx.trace.traceId.length });
    });
    const body = new FormData();
    body.append("title", "Dune");
    const headers = { "x-forwarded-proto": "https", "x-forwarded-host": "shop.example" };
    const response = await app.request("/all", { method: "POST", body, headers });
    expect(await response.json()).toEqual({
      url: "https://shop.example/all",
      form: { title: "Dune" },
      trace: 32,
    });
    expect(response.headers.get("set-cookie")).toMatch(/^seen=yes;/);
  });

  it.each(["cookies", "clientAddress", "trace"] as const)(
    "names the part %s that is missing",
    async (name) => {
      const logger = { ...silent, error: vi.fn() };
      const app = new Application({ logger });
      const member = name === "clientAddress" ? "ip" : name;
      app.getRouter().get("/", (ctx) => json(ctx[member]));
      expect((await app.request("/")).status).toBe(500);
      expect(JSON.stringify(logger.error.mock.calls)).toContain(
        `ctx.${member} needs the option \\"${name}\\", which this application was created without.`,
      );
    },
  );

  it("refuses multipart forms and trustProxy without the parts for them", async () => {
    const logger = { ...silent, error: vi.fn() };
    const app = new Application({ bodies, logger });
    app.getRouter().post("/", (ctx) => json(ctx.body));
    app.getRouter().post("/parts", async (ctx) => json(await ctx.parts().next()), {
      bodyParser: false,
    });
    const form = (): RequestInit => ({ method: "POST", body: new FormData() });
    expect((await app.request("/", form())).status).toBe(415);
    expect((await app.request("/parts", form())).status).toBe(500);
    const logged = JSON.stringify(logger.error.mock.calls);
    expect(logged).toContain('ctx.parts() needs the option \\"multipart\\"');
    expect(() => new Application({ trustProxy: 1 })).toThrow(
      expect.objectContaining({
        code: "ERR_APPLICATION_MISSING_PART",
        message: expect.stringContaining('trustProxy needs the option "clientAddress"'),
      }),
    );
  });

  it("refuses services without the part for them", async () => {
    class Greet extends Controller {
      static inject = ["greeting"];
      override handle() {
        return this.noContent();
      }
    }
    const logger = { ...silent, error: vi.fn() };
    const app = new Application({ logger });
    const missing = expect.objectContaining({
      code: "ERR_APPLICATION_MISSING_PART",
      message: expect.stringMatching(/A service .* needs the option "container", which/),
    });
    expect(() => app.singleton("greeting", () => "Hello")).toThrow(missing);
    expect(() => app.resolve("greeting")).toThrow(missing);
    app.getRouter().get("/", (ctx) => text(ctx.resolve<string>("greeting")));
    expect((await app.request("/")).status).toBe(500);
    expect(JSON.stringify(logger.error.mock.calls)).toContain('needs the option \\"container\\"');
    app.getRouter().get("/greet", Greet);
    await app.stop();
    await expect(app.boot()).rejects.toMatchObject({ errors: [missing] });
  });

  it("refuses hosts with the part for them", async () => {
    expect(() => new Application({ allowedHosts: ["shop.example"] })).toThrow(
      expect.objectContaining({ code: "ERR_APPLICATION_MISSING_PART" }),
    );
    const app = new Application({ allowedHosts: ["shop.example"], hostCheck });
    app.getRouter().get("/", () => text("open"));
    expect((await app.request("http://shop.example/")).status).toBe(200);
    expect((await app.request("http://other.example/")).status).toBe(421);
  });

  it("reports at boot that a route with a body needs the part that parses it", async () => {
    const app = new Application({ logger: silent });
    app.getRouter().get("/notes", () => text("none"));
    await app.boot();
    app.getRouter().post("/notes", (ctx) => json(ctx.body));
    const message = /POST \/notes needs the option "bodies", which this application was created/;
    expect((await app.request("/notes")).status).toBe(500);
    expect(JSON.stringify(silent.error.mock.calls)).toMatch(/ERR_APPLICATION_BOOT/);
    await app.stop();
    await expect(app.boot()).rejects.toThrow(message);
  });

  it("accepts bodies that are not parsed without that part", async () => {
    const app = new Application();
    const read = async ({ request }: RequestContext): Promise<Response> =>
      text(await request.text());
    app.getRouter().post("/hook", read, { bodyParser: false });
    const unparsed = new Application({ bodyParser: false });
    unparsed.getRouter().post("/hook", read);
    for (const each of [app, unparsed]) {
      const response = await each.request("/hook", { method: "POST", body: "payload" });
      expect(await response.text()).toBe("payload");
    }
  });

  it("builds URLs with the part for them", () => {
    const build = (options: object): string => {
      const app = new Application(options);
      app.getRouter().get("/books/:id", () => text(""), { name: "book" });
      return app.getRouter().url("book", { id: 7 });
    };
    expect(build({ urls })).toBe("/books/7");
    expect(() => build({})).toThrow(
      'router.url() needs the option "urls", which this application was created without.',
    );
  });

  it("accepts the middleware of the full package", async () => {
    const auth = new Auth({ secret: "0123456789abcdef0123456789abcdef" });
    const app = new Application();
    app.middleware("auth", createAuthMiddleware(auth));
    app.middleware("limit", new RateLimitMiddleware({ limit: 1, key: () => "all" }));
    app.getRouter().get("/me", (ctx) => json(ctx.user), { middleware: ["auth"] });
    app.getRouter().get("/rare", () => json(1), { middleware: ["limit"] });

    expect((await app.request("/me")).status).toBe(401);
    const authorization = `Bearer ${await auth.generateToken({ id: "7" })}`;
    const me = await app.request("/me", { headers: { authorization } });
    expect(await me.json()).toMatchObject({ id: "7" });
    expect((await app.request("/rare")).status).toBe(200);
    expect((await app.request("/rare")).status).toBe(429);
  });

  it("has no policies, and reports that for a gate without policies", async () => {
    const app = new Application();
    app.middleware("can", createAuthorizationMiddleware());
    app.getRouter().get("/admin", () => json(1), { middleware: ["can:administer"] });
    await expect(app.boot()).rejects.toThrow(
      /requires policies, which this application does not have/,
    );
  });

  it("rejects options of services, and unknown ones", () => {
    const create = (options: object): Application => new Application(options);
    expect(() => create({ kv: "KV" })).toThrow('unknown option "kv"');
    expect(() => create({ validaton: ruleValidator })).toThrow('Did you mean "validation"?');
  });
});
