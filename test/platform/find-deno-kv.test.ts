import { afterEach, describe, expect, it, vi } from "vitest";
import { findDenoKv } from "../../src/platform/deno/find-deno-kv.ts";

afterEach(() => {
  vi.unstubAllGlobals();
});

describe("findDenoKv", () => {
  it("returns a function that opens the database, bound to Deno", async () => {
    const deno = {
      async openKv() {
        return { openedBy: this };
      },
    };
    vi.stubGlobal("Deno", deno);
    const open = findDenoKv<{ openedBy: unknown }>();
    expect((await open?.())?.openedBy).toBe(deno);
  });

  it.each([
    ["on other runtimes", undefined],
    ["on Deno without --unstable-kv", {}],
  ])("returns undefined %s", (_title, deno) => {
    vi.stubGlobal("Deno", deno);
    expect(findDenoKv()).toBeUndefined();
  });
});
