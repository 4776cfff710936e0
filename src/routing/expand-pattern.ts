import type { PatternSegment, RoutePattern } from "./pattern.ts";

/** One of the forms that a pattern with optional segments stands for. */
export interface PatternForm {
  readonly segments: readonly PatternSegment[];
  /** How many optional segments are left out; 0 for the first form alone. */
  readonly omitted: number;
}

/**
 * Lists the forms of a pattern: every optional segment is there or not, the leftmost ones first.
 *
 * `/a/:b?` gives `/a/:b` and `/a`; a pattern without optional segments gives itself. There are at
 * most 64, since a pattern has at most six optional segments.
 */
export function expandPattern(pattern: RoutePattern): readonly PatternForm[] {
  let forms: readonly (readonly PatternSegment[])[] = [[]];
  for (const segment of pattern.segments) {
    const isOptional = segment.kind === "parameter" && segment.optional;
    forms = forms.flatMap((form) =>
      isOptional ? [[...form, segment], form] : [[...form, segment]],
    );
  }
  return forms.map((segments) => ({
    segments: segments.length === 0 ? [{ kind: "static", text: "" }] : segments,
    omitted: pattern.segments.length - segments.length,
  }));
}
