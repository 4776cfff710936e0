import { expandPattern } from "../routing/expand-pattern.ts";
import { type PatternParameter, type PatternSegment, parsePattern } from "../routing/pattern.ts";
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
  return expandPattern(parsePattern(pattern)).map(({ segments, omitted }) => {
    const writer = new TemplateWriter();
    for (const segment of segments) writer.write(segment);
    return { ...writer.finish(), omitted };
  });
}

class TemplateWriter {
  readonly #texts: string[] = [];
  readonly #parameters: TemplateParameter[] = [];
  #text = "";
  #isConstrained = false;

  write(segment: PatternSegment): void {
    this.#text += "/";
    switch (segment.kind) {
      case "static":
        this.#text += encodeText(segment.text);
        return;
      case "parameter":
        this.#addParameter(segment);
        return;
      case "wildcard":
        this.#add({ name: segment.name, pattern: undefined, isWildcard: true });
        return;
      case "mixed":
        this.#isConstrained = true;
        for (const part of segment.parts) {
          if (part.kind === "static") this.#text += encodeText(part.text);
          else this.#addParameter(part);
        }
    }
  }

  finish(): Omit<PathTemplate, "omitted"> {
    return {
      texts: [...this.#texts, this.#text],
      parameters: this.#parameters,
      isConstrained: this.#isConstrained,
    };
  }

  #addParameter({ name, constraint }: PatternParameter): void {
    if (constraint !== undefined) this.#isConstrained = true;
    const pattern = constraint === undefined ? undefined : portablePattern(constraint.source);
    this.#add({ name, pattern, isWildcard: false });
  }

  #add(parameter: TemplateParameter): void {
    this.#texts.push(this.#text);
    this.#text = "";
    this.#parameters.push(parameter);
  }
}

/** The template with its parameters called `names`. */
export function writeTemplate(template: PathTemplate, names: readonly string[]): string {
  return template.texts
    .map((text, index) => (index < names.length ? `${text}{${names[index]}}` : text))
    .join("");
}

/** A pattern's text is decoded; what RFC 3986 allows in a segment stays readable. */
function encodeText(text: string): string {
  return encodeURIComponent(text).replace(/%(?:3A|40|24|26|2B|2C|3B|3D)/g, decodeURIComponent);
}
