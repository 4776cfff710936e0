import { afterEach, describe, expect, it, vi } from "vitest";

afterEach(() => {
  vi.doUnmock("#router-wasm");
  vi.resetModules();
});

describe("createMatcher", () => {
  it("takes the compiled matcher where there is a module", async () => {
    const { createMatcher } = await import("../../src/routing/create-matcher.ts");
    expect(createMatcher({ ignoreTrailingSlash: true }).engine).toBe("wasm");
  });

  it("takes the reference matcher where the host forbids WebAssembly", async () => {
    vi.doMock("#router-wasm", () => ({ default: undefined }));
    const { createMatcher } = await import("../../src/routing/create-matcher.ts");
    const { Router } = await import("../../src/routing/router.ts");
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
});
