import { afterEach, describe, expect, it, vi } from "vitest";

afterEach(() => {
  vi.doUnmock("#router-wasm");
  vi.resetModules();
});

describe("createMatcher", () => {
  it("uses the compiled matcher if there is a module", async () => {
    const { createMatcher } = await import("../../src/routing/create-matcher.ts");
    expect(createMatcher({ ignoreTrailingSlash: true }).engine).toBe("wasm");
  });

  it("uses the reference matcher if the host forbids WebAssembly", async () => {
    vi.doMock("#router-wasm", async () => {
      const inline = await import("../../src/routing/wasm/inline.ts");
      return { ...inline, default: undefined };
    });
    const { createMatcher } = await import("../../src/routing/create-matcher.ts");
    const { StandaloneRouter: Router } = await import("../../src/routing/standalone-router.ts");
    expect(createMatcher({ ignoreTrailingSlash: true }).engine).toBe("reference");

    const router = new Router().get("/books/:id(\\d+)", () => new Response());
    expect(router.matcher.engine).toBe("reference");
    expect(router.find("GET", "http://localhost/books/7/")).toMatchObject({
      status: 200,
      route: 0,
      params: { id: "7" },
    });
    expect(() => router.get("/books/:isbn(\\d+)", () => new Response())).toThrow(
      "GET /books/:isbn(\\d+) has the same shape as GET /books/:id(\\d+), which is registered " +
        "already, so it would never be reached. Remove one of the two.",
    );
  });

  it("reports what is missing if the bundle has neither", async () => {
    const nothing = { default: undefined, createFallback: undefined, explainPattern: undefined };
    vi.doMock("#router-wasm", () => nothing);
    const { StandaloneRouter: Router } = await import("../../src/routing/standalone-router.ts");
    expect(() => new Router()).toThrow(
      expect.objectContaining({
        code: "ERR_ROUTE_NO_MATCHER",
        message:
          "The router's WebAssembly module is missing from the bundle. Let the bundler import " +
          "`.wasm` files as compiled modules, as wrangler does, or build without its `workerd` " +
          "condition.",
      }),
    );
  });

  it("reports the problem of a pattern even without a detailed explanation", async () => {
    vi.doMock("#router-wasm", async () => {
      const { default: module } = await import("../../src/routing/wasm/inline.ts");
      return { default: module, createFallback: undefined, explainPattern: undefined };
    });
    const { StandaloneRouter: Router } = await import("../../src/routing/standalone-router.ts");
    expect(() => new Router().get("/é/:id{\\d+}", () => new Response())).toThrow(
      "GET /é/:id{\\d+} cannot be registered. The pattern /é/:id{\\d+} is invalid: a constraint is " +
        'written in parentheses: ":name(regex)", not ":name{regex}" (position 6).',
    );
    expect(() => new Router().get("", () => new Response())).toThrow(
      'GET "" cannot be registered. The pattern "" is invalid: a pattern must begin with "/" (position 0).',
    );
  });
});
