import { Application, Controller, json } from "espalier";
import { describe, expect, test } from "vitest";
import { createRecordingLogger } from "../support/recording-logger.ts";

/** The value that a hook or the handler returns in place of what its type says. */
type Wrong = () => never;
const wrong = (value: unknown): Wrong => (() => value) as unknown as Wrong;

function createApp() {
  const logger = createRecordingLogger();
  return { logger, app: new Application({ logger }) };
}

describe("a controller that returns something else than a response", () => {
  const fix = "Return one of the response helpers, such as this.success(data)";

  test.each([
    ["handle", { a: 1 }, `an object instead of a Response to send. ${fix}.`],
    ["afterHandle", undefined, `undefined instead of a Response to send. ${fix}.`],
    [
      "beforeHandle",
      false,
      `a boolean instead of a Response to send. ${fix}, or nothing to go on.`,
    ],
  ])("%s: %j is a 500, whose log line says how to fix it", async (method, value, message) => {
    class Shelf extends Controller {
      handle(): Response {
        return this.success(1);
      }
    }
    Object.assign(Shelf.prototype, { [method]: wrong(value) });
    const { app, logger } = createApp();
    app.getRouter().get("/", Shelf);
    expect((await app.request("/")).status).toBe(500);
    expect(logger.lines).toHaveLength(1);
    expect(logger.lines[0]).toMatchObject({
      error: {
        code: "ERR_PIPELINE_NOT_A_RESPONSE",
        message: `Shelf.${method}() returned ${message}`,
      },
    });
  });
});

describe("a class that does not extend Controller", () => {
  class Bare {
    context: unknown;
    handle(): Response {
      return json("bare");
    }
  }

  test("needs no hooks", async () => {
    const { app } = createApp();
    app.getRouter().get("/", Bare as never);
    expect(await (await app.request("/")).json()).toBe("bare");
  });

  test("may have some", async () => {
    class Hooked extends Bare {
      beforeHandle(): void {}
      afterHandle(response: Response): Response {
        response.headers.set("x-after", "1");
        return response;
      }
    }
    const { app } = createApp();
    app.getRouter().get("/", Hooked as never);
    expect((await app.request("/")).headers.get("x-after")).toBe("1");
  });
});

test("hooks, handlers and services may return promises of other libraries", async () => {
  const thenable = <Value>(value: Value): Promise<Value> =>
    // biome-ignore lint/suspicious/noThenProperty: it is like a promise, and none.
    ({ then: (resolve: (value: Value) => void) => resolve(value) }) as unknown as Promise<Value>;
  class Late extends Controller {
    static readonly inject = ["library"];
    readonly #library: string;
    constructor(library: string) {
      super();
      this.#library = library;
    }
    protected override beforeHandle(): Promise<undefined> {
      return thenable(undefined);
    }
    handle(): Promise<Response> {
      return thenable(this.json(this.#library));
    }
    protected override afterHandle(response: Response): Promise<Response> {
      response.headers.set("x-after", "1");
      return thenable(response);
    }
  }
  const { app } = createApp();
  app.singleton("library", () => thenable("opened"));
  app.getRouter().get("/", Late as never);
  const response = await app.request("/");
  expect([await response.json(), response.headers.get("x-after")]).toEqual(["opened", "1"]);
});

test("the rules of the first instance are compiled, and apply to every request", async () => {
  let instances = 0;
  class Counted extends Controller {
    protected override schema = { [instances === 0 ? "name" : "other"]: { required: true } };
    constructor() {
      super();
      instances += 1;
    }
    handle(): Response {
      return this.json(this.context.validated);
    }
  }
  const { app } = createApp();
  app.getRouter().post("/", Counted);
  const ask = (body: string) =>
    app.request("/", { method: "POST", headers: { "content-type": "application/json" }, body });
  expect((await ask("{}")).status).toBe(422);
  expect(await (await ask('{"name":"ada"}')).json()).toEqual({ name: "ada" });
  expect((await ask("{}")).status).toBe(422);
  expect(instances).toBe(3);
});

test("an asynchronous rule is awaited", async () => {
  const { app } = createApp();
  const custom = async (value: unknown) => value === "ada" || "name is taken";
  app.getRouter().get("/flat", (ctx) => json(ctx.validated), {
    validation: { name: { required: true, custom } },
  });
  expect(await (await app.request("/flat?name=ada")).json()).toEqual({ name: "ada" });
  expect((await app.request("/flat?name=bob")).status).toBe(422);
});

describe("the response helpers of a controller", () => {
  test.each([
    ["stream", (self: Helpers) => self.streamed(), [200, null, "ab"]],
    ["file", (self: Helpers) => self.downloaded(), [200, 'attachment; filename="a.txt"', "ab"]],
    ["created", (self: Helpers) => self.made(), [201, null, '{"success":true,"data":{"id":1}}']],
  ])("%s", async (_name, respond, expected) => {
    class One extends Helpers {
      handle(): Response {
        return respond(this);
      }
    }
    const { app } = createApp();
    app.getRouter().get("/", One);
    const response = await app.request("/");
    const disposition = response.headers.get("content-disposition");
    expect([response.status, disposition, await response.text()]).toEqual(expected);
  });
});

test("this.redirect and this.created take a URL as the functions do", async () => {
  const location = new URL("https://example.com/books/1");
  class Redirecting extends Controller {
    handle(): Response {
      return this.redirect(location, 303);
    }
  }
  class Creating extends Controller.for({}) {
    handle() {
      return this.created({ id: 1 }, location);
    }
  }
  class Declaring extends Controller.for({
    responses: { 201: { data: { id: { type: "integer", required: true } } } },
  }) {
    handle() {
      return this.created({ id: 1 }, location);
    }
  }
  const { app } = createApp();
  app.getRouter().get("/", Redirecting).post("/", Creating).put("/", Declaring);
  for (const method of ["GET", "POST", "PUT"]) {
    const response = await app.request("/", { method });
    expect(response.headers.get("location")).toBe(location.href);
  }
});

abstract class Helpers extends Controller {
  streamed(): Response {
    return this.stream(
      (async function* () {
        yield "a";
        yield "b";
      })(),
    );
  }
  downloaded(): Response {
    return this.file("ab", { name: "a.txt" });
  }
  made(): Response {
    return this.created({ id: 1 }, "/x/1");
  }
}
