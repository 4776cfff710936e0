import { accepts, escapeHtml } from "espalier";
import { describe, expect, expectTypeOf, it } from "vitest";
import { costRatio } from "../support/cost-ratio.ts";

const asking = (accept?: string): { headers: Headers } => ({
  headers: new Headers(accept === undefined ? {} : { accept }),
});

describe("accepts", () => {
  it.each([
    [undefined, "application/json"],
    ["", "application/json"],
    ["*/*", "application/json"],
    ["text/html", "text/html"],
    ["TEXT/HTML", "text/html"],
    ["text/*", "text/html"],
    ["application/xml", undefined],
    ["text/html;q=0.5, application/json;q=0.4", "text/html"],
    ["text/html;q=0.5, */*", "application/json"],
    ["application/json;q=0, */*", "text/html"],
    ["*/*;q=0", undefined],
    ["text/html;level=1;q=0.2, application/json;q=0.1", "text/html"],
    ["text/html;level=1", "text/html"],
    ["text/html;q=2, application/json;q=0.1", "application/json"],
    // What a browser sends.
    ["text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", "text/html"],
    ["nonsense, text/html", "text/html"],
  ])("%s selects %s", (header, wanted) => {
    expect(accepts(asking(header), "application/json", "text/html")).toBe(wanted);
  });

  it("returns one of the offered types, and undefined without any", () => {
    const type = accepts(asking("*/*"), "text/csv", "text/plain");
    expectTypeOf(type).toEqualTypeOf<"text/csv" | "text/plain" | undefined>();
    expect(type).toBe("text/csv");
    expect(accepts(asking("*/*"))).toBeUndefined();
  });

  it("reads any header in the time of a few usual ones of its length", async () => {
    const usual = "text/html;q=0.5, ".repeat(3_500);
    for (const header of [
      ",".repeat(60_000),
      `a/b${";x=y".repeat(15_000)}`,
      `a/b${";".repeat(60_000)}`,
    ]) {
      const ratio = await costRatio(
        () => accepts(asking(header), "text/html"),
        () => accepts(asking(usual), "text/html"),
      );
      expect(ratio).toBeLessThan(20);
    }
  });
});

describe("escapeHtml", () => {
  it("escapes characters that end text or a quoted attribute", () => {
    expect(escapeHtml(`<a href="x" id='y'>&amp;</a>`)).toBe(
      "&lt;a href=&quot;x&quot; id=&#39;y&#39;&gt;&amp;amp;&lt;/a&gt;",
    );
    expect(escapeHtml("Jürgen 🌳")).toBe("Jürgen 🌳");
    expect(escapeHtml("")).toBe("");
  });
});
