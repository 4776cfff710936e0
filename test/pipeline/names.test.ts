import { BootError, text } from "espalier";
import { describe, expect, test } from "vitest";
import { createLoggedApp } from "./support.ts";

const handler = () => text("handler");

describe("the name of a middleware", () => {
  test.each([[""], [":"], ["role:admin"]])("is not %j", (name) => {
    const { app } = createLoggedApp();
    const register = () => app.middleware(name, (_ctx, next) => next());
    expect(register).toThrow(
      expect.objectContaining({
        code: "ERR_PIPELINE_BAD_MIDDLEWARE",
        message:
          `The middleware name ${JSON.stringify(name)} cannot be used. ` +
          "Choose a name without a colon: what follows one is an argument.",
      }),
    );
  });

  test("may be that of an inherited property", async () => {
    const { app } = createLoggedApp();
    app.middleware("__proto__", () => text("stopped", 403));
    app.getRouter().get("/", handler, { middleware: ["__proto__"] });
    expect((await app.request("/")).status).toBe(403);
  });

  test("refers to the last registered one", async () => {
    const { app } = createLoggedApp();
    app.middleware("guard", () => text("first", 403));
    app.middleware("guard", () => text("second", 401));
    app.getRouter().get("/", handler, { middleware: ["guard"] });
    expect((await app.request("/")).status).toBe(401);
  });

  test("that are not registered fail at boot, with a suggestion", async () => {
    const { app } = createLoggedApp();
    app.middleware("guard", (_ctx, next) => next());
    app.getRouter().get("/", handler, { middleware: ["gaurd:admin"] });
    const error = await app.boot().then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect((error as BootError).errors).toMatchObject([
      {
        code: "ERR_PIPELINE_UNKNOWN_MIDDLEWARE",
        message:
          'GET / names the middleware "gaurd", which is not registered. Did you mean "guard"? ' +
          'Register it with app.middleware("gaurd", …).',
      },
    ]);
    expect(error).toBeInstanceOf(BootError);
  });
});

describe("registration after the first request", () => {
  test("counts from then on: a name and a route that uses it", async () => {
    const { app } = createLoggedApp();
    app.getRouter().get("/", handler);
    expect((await app.request("/")).status).toBe(200);
    app.middleware("guard", () => text("stopped", 403));
    app.getRouter().get("/late", handler, { middleware: ["guard"] });
    expect((await app.request("/late")).status).toBe(403);
  });

  test("counts from then on: a global middleware and a route", async () => {
    const { app } = createLoggedApp();
    app.getRouter().get("/", handler);
    expect((await app.request("/")).status).toBe(200);
    app.use(() => text("stopped", 403));
    app.getRouter().get("/late", handler);
    expect((await app.request("/late")).status).toBe(403);
  });

  test("counts from then on: access records and a route", async () => {
    const { app, lines } = createLoggedApp();
    app.getRouter().get("/", handler);
    expect((await app.request("/")).status).toBe(200);
    app.useRequestObservability();
    app.getRouter().get("/late", handler);
    expect((await app.request("/late")).status).toBe(200);
    expect(lines.filter(({ level }) => level === "info")).toHaveLength(1);
  });

  test("nothing is prepared again without changes", async () => {
    const { app } = createLoggedApp();
    const prepared: string[] = [];
    const guard = Object.assign(() => text("stopped", 403), {
      prepare: ({ usedBy }: { readonly usedBy: string }) => void prepared.push(usedBy),
    });
    app.middleware("guard", guard);
    app.getRouter().get("/", handler, { middleware: ["guard"] });
    for (let count = 0; count < 3; count += 1) await app.request("/");
    expect(prepared).toEqual(["GET /"]);
  });
});
