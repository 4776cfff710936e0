/** One variant of a pattern with optional segments. */
export interface PatternForm<Segment> {
  readonly segments: readonly Segment[];
  /** Number of optional segments left out; 0 only for the first variant. */
  readonly omitted: number;
}

/**
 * Lists the variants of a pattern, with and without each optional segment, leftmost ones first.
 *
 * `/a/:b?` yields `/a/:b` and `/a`; a pattern without optional segments yields itself. The maximum is 64
 * variants, since a pattern has at most six optional segments.
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
