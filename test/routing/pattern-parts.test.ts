import { describe, expect, it } from "vitest";
import { parsePattern } from "../../src/routing/pattern.ts";
import { type PatternPart, readPatternParts } from "../../src/routing/pattern-parts.ts";

function show(part: PatternPart): string {
  if (part.kind === "text") return `text ${part.text}`;
  if (part.kind === "wildcard") return `rest ${part.name}`;
  const constraint = part.constraint === undefined ? "" : `(${part.constraint})`;
  return `${part.name}${constraint}${part.isOptional ? "?" : ""}`;
}

describe("readPatternParts", () => {
  it.each<[pattern: string, segments: string[][]]>([
    ["/", [[]]],
    ["*", [["rest *"]]],
    ["/*", [["rest *"]]],
    ["/a/", [["text a"], []]],
    ["/a//b", [["text a"], [], ["text b"]]],
    ["/:a/*rest", [["a"], ["rest rest"]]],
    ["/:a?/:b(\\d+)?", [["a?"], ["b(\\d+)?"]]],
    ["/:name.:type([a-z]+)", [["name", "text .", "type([a-z]+)"]]],
    ["/v:major-:minor", [["text v", "major", "text -", "minor"]]],
    ["/:x(a/b)/c", [["x(a/b)"], ["text c"]]],
    ["/:x((a|(b))[)(]\\))", [["x((a|(b))[)(]\\))"]]],
    ["/\\:x\\*\\(/%61%20b/100\\%", [["text :x*("], ["text a b"], ["text 100%"]]],
    ["/caf%C3%A9/ü😀", [["text café"], ["text ü😀"]]],
    ["/\\%41", [["text %41"]]],
  ])("%s", (pattern, segments) => {
    expect(readPatternParts(pattern).map((parts) => parts.map(show))).toEqual(segments);
    expect(() => parsePattern(pattern)).not.toThrow();
  });
});
