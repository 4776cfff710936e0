import { expandPattern } from "../routing/expand-pattern.ts";
import { encodePathText } from "../routing/path-text.ts";
import { type PatternPart, readPatternParts, type SegmentParts } from "../routing/pattern-parts.ts";
import { portablePattern } from "./portable-pattern.ts";

/** A parameter of a path template. */
export interface TemplateParameter {
  /** Name in the route's pattern; `*` for an unnamed wildcard. */
  readonly name: string;
  /** Pattern of valid values; undefined if unconstrained. */
  readonly pattern: string | undefined;
  /** True for a wildcard, which matches the rest of the path and may be empty. */
  readonly isWildcard: boolean;
}

/** One variant of a route's pattern as an OpenAPI path template. */
export interface PathTemplate {
  /** The literal text around the parameters: one more item than there are parameters. */
  readonly texts: readonly string[];
  readonly parameters: readonly TemplateParameter[];
  /** True if parameter constraints exclude some paths of this shape. */
  readonly isConstrained: boolean;
  /** Number of optional segments left out. */
  readonly omitted: number;
}

/** Returns the variants of a pattern, the full one first; several only with optional segments. */
export function pathTemplates(pattern: string): readonly PathTemplate[] {
  return expandPattern(readPatternParts(pattern), isOptional).map(({ segments, omitted }) => {
    const writer = new TemplateWriter();
    for (const segment of segments.length === 0 ? [[]] : segments) writer.write(segment);
    return { ...writer.finish(), omitted };
  });
}

function isOptional([part]: SegmentParts): boolean {
  return part?.kind === "parameter" && part.isOptional;
}

class TemplateWriter {
  readonly #texts: string[] = [];
  readonly #parameters: TemplateParameter[] = [];
  #text = "";
  #isConstrained = false;

  write(segment: SegmentParts): void {
    this.#text += "/";
    if (segment.length > 1) this.#isConstrained = true;
    for (const part of segment) this.#writePart(part);
  }

  #writePart(part: PatternPart): void {
    if (part.kind === "text") {
      this.#text += encodePathText(part.text);
      return;
    }
    const constraint = part.kind === "parameter" ? part.constraint : undefined;
    if (constraint !== undefined) this.#isConstrained = true;
    this.#texts.push(this.#text);
    this.#text = "";
    this.#parameters.push({
      name: part.name,
      pattern: constraint === undefined ? undefined : portablePattern(constraint),
      isWildcard: part.kind === "wildcard",
    });
  }

  finish(): Omit<PathTemplate, "omitted"> {
    return {
      texts: [...this.#texts, this.#text],
      parameters: this.#parameters,
      isConstrained: this.#isConstrained,
    };
  }
}

/** Formats the template with its parameters named `names`. */
export function writeTemplate(template: PathTemplate, names: readonly string[]): string {
  return template.texts
    .map((text, index) => (index < names.length ? `${text}{${names[index]}}` : text))
    .join("");
}
