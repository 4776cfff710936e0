import { describe, expect, it } from "vitest";
import { expandPattern } from "../../src/routing/expand-pattern.ts";
import { type PatternSegment, parsePattern } from "../../src/routing/pattern.ts";

/** A segment in the notation of this test. */
function show(segment: PatternSegment): string {
  if (segment.kind === "static") return `text ${segment.text}`;
  if (segment.kind === "wildcard") return `rest ${segment.name}`;
  const parts = segment.kind === "mixed" ? segment.parts : [segment];
  const shown = parts.map((part) =>
    part.kind === "static" ? part.text : `<${part.name}${part.constraint?.source ?? ""}>`,
  );
  const mark = segment.kind === "parameter" && segment.optional ? " optional" : "";
  return `${segment.kind} ${shown.join("")}${mark}`;
}

describe("parsePattern", () => {
  it.each([
    ["/", ["text "]],
    ["/users", ["text users"]],
    ["/users/", ["text users", "text "]],
    ["//x", ["text ", "text x"]],
    ["/users/:id", ["text users", "parameter <id>"]],
    ["/:id(\\d+)", ["parameter <id\\d+>"]],
    ["/:path([a/b]+)/x", ["parameter <path[a/b]+>", "text x"]],
    ["/:a([)]\\)(b))", ["parameter <a[)]\\)(b)>"]],
    ["/:tab?", ["parameter <tab> optional"]],
    ["/:tab(a|b)?/x", ["parameter <taba|b> optional", "text x"]],
    ["/:name.:type", ["mixed <name>.<type>"]],
    ["/@:user-id", ["mixed @<user>-id"]],
    ["/:a(\\d+)-:b", ["mixed <a\\d+>-<b>"]],
    ["/:foo\\(:bar\\)", ["mixed <foo>(<bar>)"]],
    ["/files/*", ["text files", "rest *"]],
    ["/files/*path", ["text files", "rest path"]],
    ["*", ["rest *"]],
    ["/caf%C3%A9", ["text café"]],
    ["/a%2Fb", ["text a/b"]],
    ["/\\:a\\%41", ["text :a%41"]],
    ["/a b,c;d=e[f]|g", ["text a b,c;d=e[f]|g"]],
  ])("%s", (source, segments) => {
    const pattern = parsePattern(source);
    expect(pattern.segments.map(show)).toEqual(segments);
    expect(pattern.source).toBe(source);
  });

  it("lists the names from left to right", () => {
    const { parameterNames } = parsePattern("/:b/:a.:c/:__proto__?/*rest");
    expect(parameterNames).toEqual(["b", "a", "c", "__proto__", "rest"]);
  });

  it("reports where it stopped", () => {
    expect(() => parsePattern("/users/:id{\\d+}")).toThrow(
      expect.objectContaining({ name: "PatternError", reason: "invalid-pattern", position: 10 }),
    );
  });
});

describe("expandPattern", () => {
  const isOptional = (segment: string): boolean => segment.endsWith("?");

  it("lists the forms with the leftmost optional segments first", () => {
    expect(expandPattern([":a?", "x", ":b?"], isOptional)).toEqual([
      { segments: [":a?", "x", ":b?"], omitted: 0 },
      { segments: [":a?", "x"], omitted: 1 },
      { segments: ["x", ":b?"], omitted: 1 },
      { segments: ["x"], omitted: 2 },
    ]);
  });

  it("returns no form without segments, and at most 64 forms", () => {
    const forms = expandPattern([":a?", ":b?", ":c?", ":d?", ":e?", ":f?"], isOptional);
    expect(forms).toHaveLength(64);
    expect(forms.at(-1)).toEqual({ segments: [], omitted: 6 });
  });
});
