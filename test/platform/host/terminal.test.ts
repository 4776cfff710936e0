import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createConsoleLogger } from "../../../src/observability/console-logger.ts";

type Level = "debug" | "info" | "warn" | "error";

function logged(level: Level): string {
  const write = vi.spyOn(console, level).mockImplementation(() => {});
  createConsoleLogger()[level]("Started", { port: 3000 });
  return String(write.mock.calls[0]?.[0]);
}

function setTerminals(terminals: { stdout: boolean; stderr: boolean }): void {
  vi.spyOn(process.stdout, "isTTY", "get").mockReturnValue(terminals.stdout);
  vi.spyOn(process.stderr, "isTTY", "get").mockReturnValue(terminals.stderr);
}

describe("the default logger", () => {
  beforeEach(() => {
    for (const stream of [process.stdout, process.stderr]) {
      Object.defineProperty(stream, "isTTY", { configurable: true, get: () => false });
    }
    vi.stubEnv("NODE_ENV", "development");
    vi.stubEnv("NO_COLOR", undefined);
    vi.stubEnv("TERM", "xterm");
  });
  afterEach(() => {
    vi.restoreAllMocks();
    vi.unstubAllEnvs();
  });

  test("writes JSON lines where the console is not a terminal", () => {
    for (const level of ["debug", "info", "warn", "error"] as const) {
      expect(JSON.parse(logged(level))).toMatchObject({ level, message: "Started", port: 3000 });
    }
  });

  test("writes text to the stream that is a terminal", () => {
    setTerminals({ stdout: true, stderr: false });
    expect(logged("info")).toContain("\u001b[36mINFO \u001b[0m Started");
    expect(JSON.parse(logged("error"))).toMatchObject({ message: "Started" });
  });

  test("writes warnings and errors as text where stderr is a terminal", () => {
    setTerminals({ stdout: false, stderr: true });
    expect(logged("error")).toContain("\u001b[31mERROR\u001b[0m Started");
    expect(JSON.parse(logged("debug"))).toMatchObject({ message: "Started" });
  });

  test("writes JSON lines in production", () => {
    setTerminals({ stdout: true, stderr: true });
    vi.stubEnv("NODE_ENV", "production");
    expect(JSON.parse(logged("info"))).toMatchObject({ message: "Started" });
  });

  test.each([
    ["NO_COLOR", "1"],
    ["TERM", "dumb"],
  ])("uses no colours with %s=%s", (name, value) => {
    setTerminals({ stdout: true, stderr: true });
    vi.stubEnv(name, value);
    expect(logged("info")).toMatch(/^\d\d:\d\d:\d\d\.\d{3} INFO {2}Started {2}port=3000$/);
  });

  test("uses colours with an empty NO_COLOR", () => {
    setTerminals({ stdout: true, stderr: true });
    vi.stubEnv("NO_COLOR", "");
    expect(logged("info")).toContain("\u001b[");
  });
});
