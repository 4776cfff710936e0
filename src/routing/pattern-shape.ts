import type { PatternParameter, PatternSegment, PatternText } from "./pattern.ts";

/** Precedence of segments at the same position; smaller numbers are tried first. */
const Precedence = {
  static: 0,
  mixed: 1,
  constrained: 2,
  parameter: 3,
  optionalConstrained: 4,
  optional: 5,
  wildcard: 6,
};

/**
 * Returns the shape of a segment: its key without parameter names.
 *
 * Patterns whose segments have equal keys match the same paths, so a second one for the same method could
 * never be reached.
 */
export function shapeKey(segment: PatternSegment): string {
  switch (segment.kind) {
    case "static":
      return `static ${segment.text}`;
    case "mixed":
      return `mixed ${JSON.stringify(segment.parts.map(partKey))}`;
    case "parameter":
      return `${segment.optional ? "optional" : "parameter"} ${segment.constraint?.source ?? ""}`;
    case "wildcard":
      return "wildcard";
  }
}

/** Returns the precedence of a segment at its position: its kind, then the length of its text. */
export function precedenceOf(segment: PatternSegment): readonly [kind: number, length: number] {
  switch (segment.kind) {
    case "static":
      return [Precedence.static, 0];
    case "mixed":
      return [Precedence.mixed, -textLength(segment.parts)];
    case "parameter":
      return [parameterPrecedence(segment.optional, segment.constraint !== undefined), 0];
    case "wildcard":
      return [Precedence.wildcard, 0];
  }
}

function parameterPrecedence(isOptional: boolean, isConstrained: boolean): number {
  if (isOptional) return isConstrained ? Precedence.optionalConstrained : Precedence.optional;
  return isConstrained ? Precedence.constrained : Precedence.parameter;
}

function partKey(
  part: PatternText | PatternParameter,
): readonly [string] | readonly [string, string] {
  return part.kind === "static" ? [part.text] : ["parameter", part.constraint?.source ?? ""];
}

/** In bytes of UTF-8. */
function textLength(parts: readonly (PatternText | PatternParameter)[]): number {
  const text = parts.map((part) => (part.kind === "static" ? part.text : "")).join("");
  return new TextEncoder().encode(text).length;
}
