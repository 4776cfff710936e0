import { afterEach, describe, expect, test, vi } from "vitest";
import { readProcessEnvironment } from "../../src/platform/process-environment.ts";

afterEach(() => {
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
});

/** The subset of Deno that is used; `permitted` names the readable variables. */
function stubDeno(variables: Record<string, string>, permitted: readonly string[] | "all"): void {
  const refuse = (): never => {
    throw new Error("Requires env access");
  };
  vi.stubGlobal("Deno", {
    env: {
      get: (name: string) =>
        permitted === "all" || permitted.includes(name) ? variables[name] : refuse(),
      toObject: () => (permitted === "all" ? variables : refuse()),
    },
    permissions: {
      querySync: ({ variable }: { variable?: string }) => {
        const all = permitted === "all";
        const one = variable !== undefined && permitted.includes(variable);
        return { state: all || one ? "granted" : "prompt" };
      },
    },
  });
}

describe("readProcessEnvironment", () => {
  test("is the current process.env", () => {
    vi.stubEnv("ESPALIER_TEST_VARIABLE", "first");
    expect(readProcessEnvironment()["ESPALIER_TEST_VARIABLE"]).toBe("first");
    vi.stubEnv("ESPALIER_TEST_VARIABLE", "second");
    expect(readProcessEnvironment()["ESPALIER_TEST_VARIABLE"]).toBe("second");
  });

  test("is empty without a process", () => {
    vi.stubGlobal("process", undefined);
    expect(readProcessEnvironment()).toEqual({});
  });

  test("is Deno.env if permitted", () => {
    stubDeno({ APP_PORT: "1" }, "all");
    expect(readProcessEnvironment()).toEqual({ APP_PORT: "1" });
  });

  test("reads only permitted variables of Deno.env, without prompts", () => {
    stubDeno({ APP_PORT: "1", SECRET: "s" }, ["APP_PORT"]);
    const environment = readProcessEnvironment();
    expect([environment["APP_PORT"], environment["SECRET"]]).toEqual(["1", undefined]);
    stubDeno({ APP_PORT: "1" }, []);
    expect(readProcessEnvironment()["APP_PORT"]).toBeUndefined();
  });
});
