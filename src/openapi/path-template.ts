import { expandPattern } from "../routing/expand-pattern.ts";
import { encodePathText } from "../routing/path-text.ts";
import { type PatternPart, readPatternParts, type SegmentParts } from "../routing/pattern-parts.ts";
import { portablePattern } from "./portable-pattern.ts";

/** A parameter of a path template. */
export interface TemplateParameter {
  /** As the route's pattern names it; `*` for an anonymous wildcard. */
  readonly name: string;
  /** What its value matches; undefined when anything does. */
  readonly pattern: string | undefined;
  /** Whether it takes the rest of the path, which may be empty. */
  readonly isWildcard: boolean;
}

/** One form of a route's pattern as OpenAPI writes it. */
export interface PathTemplate {
  /** The text around the parameters: one more than there are parameters. */
  readonly texts: readonly string[];
  readonly parameters: readonly TemplateParameter[];
  /** Whether a path of this form may still not be the route's, for what a parameter's value is. */
  readonly isConstrained: boolean;
  /** How many optional segments are left out of it. */
  readonly omitted: number;
}

/** The forms of a pattern: one, or more where segments are optional; the whole one first. */
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

/** The template with its parameters called `names`. */
export function writeTemplate(template: PathTemplate, names: readonly string[]): string {
  return template.texts
    .map((text, index) => (index < names.length ? `${text}{${names[index]}}` : text))
    .join("");
}
