import type { Miniflare } from "miniflare";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { multipartCases } from "../support/multipart-cases.ts";
import { serveForSuite } from "../support/serve-for-suite.ts";
import { startWorkerd } from "../support/workerd.ts";

/** Forms that parsers of the runtimes read differently, by their id in `test/tables/multipart.json`. */
const ids = [
  "unquoted values and filename*",
  "filename* before filename",
  "semicolon in a filename",
  "escaped quotes and a semicolon in a filename",
  "name with a quote and a line break",
  "delimiter text inside a line",
  "line that continues after a delimiter",
  "blanks after delimiters",
  "delimiter after a bare LF",
  "LF line ends throughout",
  "preamble and epilogue",
  "unknown parameters",
  "semicolon at the end",
  "filename before name",
  "base64 transfer encoding",
];

function describeForms(base: () => string): void {
  test.each(ids)("%s", async (id) => {
    const found = multipartCases.find((one) => one.id === id);
    if (found === undefined) throw new Error(`The table has no case "${id}".`);
    const { contentType, bytes, expected } = found;
    const headers = { "content-type": contentType };
    const response = await fetch(new URL("/form", base()), {
      method: "POST",
      body: bytes,
      headers,
    });
    const result: unknown = await response.json();
    if ("status" in expected) expect(response.status).toBe(expected.status);
    else expect(result).toEqual(expected.entries);
  });
}

describe.each(["node", "deno", "bun"] as const)("a multipart form on %s", (runtime) => {
  const server = serveForSuite("test/faults/support/hostile-bodies-server.ts", runtime);
  describeForms(() => server.url);
});

describe("a multipart form on workerd", () => {
  let mf: Miniflare;
  let base = "";
  beforeAll(async () => {
    mf = await startWorkerd("test/faults/support/hostile-bodies-worker.ts");
    base = (await mf.ready).href;
  });
  afterAll(() => mf.dispose());
  describeForms(() => base);
});
