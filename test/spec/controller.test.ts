import { Controller, json } from "espalier";
import { describe, expect, test } from "vitest";
import { answerOf, createApp, createLoggedApp, jsonOf, withJson } from "./support.ts";

test("Controller, handle: the only required member; receives ctx and returns the Response", async () => {
  class Show extends Controller {
    async handle(ctx: Controller["context"]): Promise<Response> {
      return this.text(`${ctx.params["id"]} ${ctx === this.context}`);
    }
  }
  const app = createApp();
  app.getRouter().get("/:id", Show);
  expect(await answerOf(await app.request("/7"))).toEqual([200, "7 true"]);
});

describe("beforeHandle", () => {
  const ran: string[] = [];
  const routeWith = (early: () => Response | null | undefined) =>
    class extends Controller {
      protected override schema = { name: { required: true } };
      protected override async beforeHandle(): Promise<Response | null | undefined> {
        ran.push("beforeHandle");
        return early();
      }
      async handle(): Promise<Response> {
        ran.push("handle");
        return this.text("handled");
      }
      protected override async afterHandle(response: Response): Promise<Response> {
        ran.push("afterHandle");
        return response;
      }
    };
  const runWith = async (early: () => Response | null | undefined, body: unknown) => {
    ran.length = 0;
    const app = createApp();
    app.getRouter().post("/", routeWith(early));
    return app.request("/", withJson(body));
  };

  test("Controller, beforeHandle: runs after validation and before handle", async () => {
    expect((await runWith(() => null, {})).status).toBe(422);
    expect(ran).toEqual([]);
    expect((await runWith(() => null, { name: "Ada" })).status).toBe(200);
    expect(ran).toEqual(["beforeHandle", "handle", "afterHandle"]);
  });

  test("Controller, beforeHandle: a Response skips handle and afterHandle", async () => {
    const response = await runWith(() => json({ early: true }, 403), { name: "Ada" });
    expect([response.status, await response.json(), ran]).toEqual([
      403,
      { early: true },
      ["beforeHandle"],
    ]);
  });

  test("Controller, beforeHandle: null and undefined proceed", async () => {
    for (const early of [null, undefined]) {
      expect(await answerOf(await runWith(() => early, { name: "Ada" }))).toEqual([200, "handled"]);
    }
  });
});

test.each([false, true, 0, "", {}])(
  "Controller, beforeHandle: any other value results in a 500: %j",
  async (returned) => {
    const { app, lines } = createLoggedApp();
    let isReached = false;
    class Guarded extends Controller {
      protected override async beforeHandle(): Promise<null> {
        return returned as never;
      }
      handle(): Response {
        isReached = true;
        return this.text("inside");
      }
    }
    app.getRouter().get("/", Guarded);
    expect([(await app.request("/")).status, isReached]).toEqual([500, false]);
    expect(JSON.stringify(lines)).toContain("Guarded.beforeHandle() returned");
  },
);

describe("afterHandle", () => {
  test("Controller, afterHandle: receives the response and returns the final one", async () => {
    class Wrapped extends Controller {
      async handle(): Promise<Response> {
        return this.text("inner", 201);
      }
      protected override async afterHandle(response: Response): Promise<Response> {
        return this.text(`${response.status} ${await response.text()}`, 202);
      }
    }
    const app = createApp();
    app.getRouter().get("/", Wrapped);
    expect(await answerOf(await app.request("/"))).toEqual([202, "201 inner"]);
  });

  test("Controller, afterHandle: the response is also in its context", async () => {
    const app = createApp();
    const seen: unknown[] = [];
    app.use({ after: (ctx, response) => void seen.push(ctx.response === response) });
    class Traced extends Controller {
      protected override beforeHandle(): void {
        seen.push(this.context.response);
      }
      handle(): Response {
        return this.text("x");
      }
      protected override afterHandle(response: Response): Response {
        seen.push(this.context.response === response);
        return this.text("y");
      }
    }
    app.getRouter().get("/", Traced);
    expect(await (await app.request("/")).text()).toBe("y");
    expect(seen).toEqual([undefined, true, true]);
  });

  test("Controller, afterHandle: can add headers to an immutable Response", async () => {
    class Redirects extends Controller {
      async handle(): Promise<Response> {
        return Response.redirect("http://localhost/there");
      }
      protected override async afterHandle(response: Response): Promise<Response> {
        response.headers.set("x-after", "1");
        return response;
      }
    }
    const app = createApp();
    app.getRouter().get("/", Redirects);
    const response = await app.request("/");
    expect([response.status, response.headers.get("x-after")]).toEqual([302, "1"]);
  });

  test("Controller, afterHandle: returning nothing results in a 500", async () => {
    class Forgetful extends Controller {
      async handle(): Promise<Response> {
        return this.text("x");
      }
      // @ts-expect-error returns nothing
      protected override async afterHandle(): Promise<Response> {}
    }
    const { app, lines } = createLoggedApp();
    app.getRouter().get("/", Forgetful);
    expect((await app.request("/")).status).toBe(500);
    expect(JSON.stringify(lines)).toContain("Forgetful.afterHandle() returned undefined");
  });
});

test("Controller, schema: a map of field to rule, checked before the hooks", async () => {
  class Create extends Controller {
    protected override schema = {
      title: { required: true, type: "string", max: 5 },
      pages: { type: "number" },
    };
    async handle(): Promise<Response> {
      return this.success(this.context.validated);
    }
  }
  const app = createApp();
  app.getRouter().post("/", Create);
  const refused = await app.request("/", withJson({ title: "Espaliers", pages: "9" }));
  expect((await jsonOf(refused))["errors"]).toEqual([
    { field: "title", message: "title must be at most 5 characters" },
    { field: "pages", message: "pages must be a number" },
  ]);
  const accepted = await app.request("/", withJson({ title: "Trees" }));
  expect(await accepted.json()).toEqual({ success: true, data: { title: "Trees" } });
});

test("Controller, this.context: available in every hook, as is this.app", async () => {
  const seen: unknown[] = [];
  class Looks extends Controller {
    #look(where: string): void {
      seen.push([where, this.context.params["id"], this.context.app === this.app]);
    }
    protected override async beforeHandle(): Promise<void> {
      this.#look("beforeHandle");
    }
    async handle(): Promise<Response> {
      this.#look("handle");
      return this.text("x");
    }
    protected override async afterHandle(response: Response): Promise<Response> {
      this.#look("afterHandle");
      return response;
    }
  }
  const app = createApp();
  app.getRouter().get("/:id", Looks);
  await app.request("/7");
  expect(seen).toEqual([
    ["beforeHandle", "7", true],
    ["handle", "7", true],
    ["afterHandle", "7", true],
  ]);
});

test("Controller, instances: one per request", async () => {
  class Counts extends Controller {
    #count = 0;
    async handle(): Promise<Response> {
      this.#count += 1;
      return this.text(String(this.#count));
    }
  }
  const app = createApp();
  app.getRouter().get("/", Counts);
  const answers = await Promise.all([app.request("/"), app.request("/"), app.request("/")]);
  expect(await Promise.all(answers.map((answer) => answer.text()))).toEqual(["1", "1", "1"]);
});

describe("inject", () => {
  class Clock {
    now(): number {
      return 7;
    }
  }
  class Tells extends Controller {
    static readonly inject = ["clock", "zone"];
    readonly #clock: Clock;
    readonly #zone: string;
    constructor(clock: Clock, zone: string) {
      super();
      this.#clock = clock;
      this.#zone = zone;
    }
    async handle(): Promise<Response> {
      return this.text(`${this.#clock.now()} ${this.#zone}`);
    }
  }

  test("Controller, inject: lists the services passed to the constructor", async () => {
    const app = createApp();
    app.singleton("clock", async () => new Clock());
    app.instance("zone", "UTC");
    app.getRouter().get("/", Tells);
    expect(await answerOf(await app.request("/"))).toEqual([200, "7 UTC"]);
  });

  test("Controller, inject: an unknown service fails at boot", async () => {
    const app = createApp();
    app.instance("zone", "UTC");
    app.instance("clokc", new Clock());
    app.getRouter().get("/", Tells);
    await expect(app.boot()).rejects.toThrow(/GET \/ needs the service "clock".*"clokc"/s);
  });

  test("Controller, inject: without it the constructor receives nothing", async () => {
    let count = -1;
    class Bare extends Controller {
      constructor(...given: unknown[]) {
        super();
        count = given.length;
      }
      async handle(): Promise<Response> {
        return this.text("x");
      }
    }
    const app = createApp();
    app.getRouter().get("/", Bare);
    await app.request("/");
    expect(count).toBe(0);
  });
});

test("Controller, for: params, query and body are typed and validated from its schemas", async () => {
  class Update extends Controller.for({
    params: { id: { type: "integer", required: true } },
    query: { dry: { type: "boolean", default: false } },
    body: { title: { type: "string", required: true } },
  }) {
    async handle(): Promise<Response> {
      const next: number = this.params.id + 1;
      const dry: boolean = this.query.dry;
      const title: string = this.body.title.toUpperCase();
      return this.json([next, dry, title, this.context.params["id"]]);
    }
  }
  const app = createApp();
  app.getRouter().put("/:id", Update);
  const accepted = await app.request("/7?dry=1", withJson({ title: "pears" }, "PUT"));
  expect(await accepted.json()).toEqual([8, true, "PEARS", "7"]);
  const refused = await app.request("/x?dry=perhaps", withJson({}, "PUT"));
  expect((await jsonOf(refused))["errors"]).toEqual([
    { field: "id", message: "id must be an integer" },
    { field: "dry", message: "dry must be a boolean" },
    { field: "title", message: "title is required" },
  ]);
});
