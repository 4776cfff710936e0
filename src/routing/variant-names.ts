/** Plain patterns: literal text and whole-segment parameters (the common case). */
const plainPattern = /^(?:\/(?::[A-Za-z_$][\w$]*|[\w.~-]*))+$/;

/**
 * Returns the parameter names of a plain pattern without calls into the module: an application registers
 * hundreds of routes at boot, and each call costs more than parsing. Undefined for other patterns.
 */
export function namesOfPlain(pattern: string): readonly string[] | undefined {
  if (!plainPattern.test(pattern)) return undefined;
  const names: string[] = [];
  for (let at = pattern.indexOf(":"); at !== -1; at = pattern.indexOf(":", at + 1)) {
    names.push(segmentFrom(pattern, at + 1));
  }
  return names;
}

function segmentFrom(pattern: string, start: number): string {
  const end = pattern.indexOf("/", start);
  return end === -1 ? pattern.slice(start) : pattern.slice(start, end);
}

/** A parameter of a pattern. */
export interface Parameter {
  readonly name: string;
  readonly optional: boolean;
}

/**
 * Lists the parameters of each variant of a pattern, in the order of the module's answers: they count down
 * from "all present", with the leftmost optional parameter as the highest bit.
 */
export function namesOfVariants(parameters: readonly Parameter[]): readonly (readonly string[])[] {
  let variants: string[][] = [[]];
  for (const { name, optional } of parameters) {
    const without = optional ? variants.map((names) => [...names]) : [];
    for (const names of variants) names.push(name);
    if (optional) variants = variants.flatMap((names, i) => [names, without[i] ?? []]);
  }
  return variants;
}
