/** One of the forms that a pattern with optional segments stands for. */
export interface PatternForm<Segment> {
  readonly segments: readonly Segment[];
  /** How many optional segments are left out; 0 for the first form alone. */
  readonly omitted: number;
}

/**
 * Lists the forms of a pattern: every optional segment is there or not, the leftmost ones first.
 *
 * `/a/:b?` gives `/a/:b` and `/a`; a pattern without optional segments gives itself. There are at
 * most 64, since a pattern has at most six optional segments.
 */
export function expandPattern<Segment>(
  pattern: readonly Segment[],
  isOptional: (segment: Segment) => boolean,
): readonly PatternForm<Segment>[] {
  let forms: readonly (readonly Segment[])[] = [[]];
  for (const segment of pattern) {
    const both = isOptional(segment);
    forms = forms.flatMap((form) => (both ? [[...form, segment], form] : [[...form, segment]]));
  }
  return forms.map((segments) => ({ segments, omitted: pattern.length - segments.length }));
}
