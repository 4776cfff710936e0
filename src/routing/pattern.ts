import { findClosingParenthesis } from "./closing-parenthesis.ts";
import { Constraint } from "./constraint.ts";
import { ConstraintSyntaxError } from "./constraint-syntax.ts";
import { PatternError } from "./route-match.ts";

/** A parameter of a pattern: `:name`, or with a constraint `:name(regex)`. */
export interface PatternParameter {
  readonly kind: "parameter";
  readonly name: string;
  readonly constraint: Constraint | undefined;
}

/** Literal text of a pattern, percent-decoded and unescaped. */
export interface PatternText {
  readonly kind: "static";
  readonly text: string;
}

/** One segment of a pattern, between two slashes. */
export type PatternSegment =
  | PatternText
  | (PatternParameter & { readonly optional: boolean })
  | { readonly kind: "mixed"; readonly parts: readonly (PatternText | PatternParameter)[] }
  | {
      readonly kind: "wildcard";
      /** `"*"` for an unnamed wildcard. */
      readonly name: string;
    };

/** A parsed pattern. */
export interface RoutePattern {
  /** As registered. */
  readonly source: string;
  /** Never empty; `/` is one static segment without text. */
  readonly segments: readonly PatternSegment[];
  /** Names of all parameters and wildcards, from left to right. */
  readonly parameterNames: readonly string[];
}

const optionalLimit = 6;

/**
 * Parses a route pattern: `/users/:id(\d+)/:tab?`, `/files/:name.:extension`, `/assets/*path`.
 *
 * @throws PatternError with the position of the mistake, and how to fix it in the message
 */
export function parsePattern(source: string): RoutePattern {
  return new PatternReader(source).read();
}

/** Returns the error of a pattern; undefined for a valid one. */
export function explainPattern(source: string): PatternError | undefined {
  try {
    parsePattern(source);
    return undefined;
  } catch (error) {
    if (error instanceof PatternError) return error;
    throw error;
  }
}

class PatternReader {
  readonly #source: string;
  // Sticky expressions are stateful, so each reader has its own.
  readonly #name = /[A-Za-z_$][\w$]*/y;
  readonly #plainText = /[^/:\\*?+(){}]+/y;
  #at = 0;
  readonly #names: string[] = [];
  #optionals = 0;

  constructor(source: string) {
    this.#source = source;
  }

  read(): RoutePattern {
    if (this.#source === "*") {
      return { source: "*", segments: [{ kind: "wildcard", name: "*" }], parameterNames: ["*"] };
    }
    if (!this.#take("/")) throw this.#error('must begin with "/"', 0);
    const segments = [this.#readSegment()];
    while (this.#take("/")) segments.push(this.#readSegment());
    return { source: this.#source, segments, parameterNames: this.#names };
  }

  #readSegment(): PatternSegment {
    if (this.#isNext("*")) return this.#readWildcard();
    const parts: (PatternText | PatternParameter)[] = [];
    while (!this.#isSegmentEnd()) {
      if (!this.#isNext(":")) {
        parts.push(this.#readText());
        continue;
      }
      const start = this.#at;
      if (parts.at(-1)?.kind === "parameter") {
        throw this.#error(
          "has two parameters with nothing between them; put text or / there",
          start,
        );
      }
      const parameter = this.#readParameter();
      parts.push(parameter);
      if (this.#isNext("?")) return this.#readOptionalMark(parts, parameter);
    }
    const [first, ...rest] = parts;
    if (first === undefined) return { kind: "static", text: "" };
    if (rest.length > 0) return { kind: "mixed", parts };
    return first.kind === "static" ? first : { ...first, optional: false };
  }

  #readWildcard(): PatternSegment {
    const start = this.#at;
    this.#at++;
    const name = this.#readName() ?? "*";
    if (this.#isNext("/")) {
      throw this.#error(
        "has a wildcard that is not last; a * takes the whole rest of the path",
        start,
      );
    }
    if (!this.#isSegmentEnd()) throw this.#wildcardError(start);
    this.#addName(name, start);
    return { kind: "wildcard", name };
  }

  #readParameter(): PatternParameter {
    const start = this.#at;
    this.#at++;
    const name = this.#readName();
    if (name === undefined) {
      throw this.#error(
        "has a : without a parameter name (a letter, _ or $, then also digits); " +
          "write \\: for the character",
        start,
      );
    }
    this.#addName(name, start);
    const constraint = this.#isNext("(") ? this.#readConstraint(name) : undefined;
    this.#refuseAfterParameter(name);
    return { kind: "parameter", name, constraint };
  }

  /** Refuses parameter suffixes of other routers, which would be misread as literal text. */
  #refuseAfterParameter(name: string): void {
    if (this.#isNext("{")) {
      const inner = /^\{([^{}/]+)\}/.exec(this.#source.slice(this.#at))?.[1] ?? "regex";
      throw this.#error(
        `has a { after :${name}; a constraint is written :${name}(${inner})`,
        this.#at,
      );
    }
    if (this.#isNext("*") || this.#isNext("+")) {
      throw this.#error(
        `repeats :${name}; only a wildcard, *${name} as the last segment, takes several segments`,
        this.#at,
      );
    }
  }

  #readConstraint(name: string): Constraint {
    const start = this.#at;
    const end = findClosingParenthesis(this.#source, start);
    if (end === undefined) throw this.#error(`has an unclosed ( after :${name}`, start);
    const source = this.#source.slice(start + 1, end);
    if (source === "") {
      throw this.#error(`has an empty constraint after :${name}; leave the () out`, start);
    }
    this.#at = end + 1;
    try {
      return new Constraint(source);
    } catch (error) {
      if (!(error instanceof ConstraintSyntaxError)) throw error;
      throw this.#error(`cannot be matched: ${error.message}`, start + 1 + error.position);
    }
  }

  #readOptionalMark(
    parts: readonly (PatternText | PatternParameter)[],
    parameter: PatternParameter,
  ): PatternSegment {
    const mark = this.#at;
    this.#at++;
    if (parts.length > 1 || !this.#isSegmentEnd()) {
      throw this.#error(
        `has a misplaced ?; only a whole segment, /:${parameter.name}?, can be optional`,
        mark,
      );
    }
    this.#optionals++;
    if (this.#optionals > optionalLimit) {
      throw this.#error(`has more than ${optionalLimit} optional parameters`, mark);
    }
    return { ...parameter, optional: true };
  }

  /** Reads literal text up to the next parameter or slash. */
  #readText(): PatternText {
    const start = this.#at;
    let encoded = "";
    while (!this.#isSegmentEnd() && !this.#isNext(":")) {
      const plain = this.#readMatch(this.#plainText);
      // An escaped percent sign is literal and must survive the decoding below.
      encoded += plain ?? this.#readEscape().replace("%", "%25");
    }
    if (!encoded.includes("%")) return { kind: "static", text: encoded };
    try {
      return { kind: "static", text: decodeURIComponent(encoded) };
    } catch {
      throw this.#error(
        "has a % that is not part of a valid escape; write %25 for the character",
        start,
      );
    }
  }

  /** Reads a backslash and the character it escapes; refuses any other reserved character. */
  #readEscape(): string {
    if (!this.#take("\\")) throw this.#reservedError(this.#source[this.#at] ?? "");
    const character = this.#source[this.#at];
    if (character === undefined || character === "/" || /[A-Za-z0-9]/.test(character)) {
      throw this.#error(
        "has a \\ that escapes nothing; write it before a punctuation character",
        this.#at - 1,
      );
    }
    this.#at++;
    return character;
  }

  #reservedError(character: string): PatternError {
    if (character === "*") return this.#wildcardError(this.#at);
    if (character === ")")
      return this.#error("has an unmatched ); write \\) for the character", this.#at);
    if (character === "(") {
      return this.#error(
        "has a ( that follows no parameter; name it, :id(regex), or write \\( for the character",
        this.#at,
      );
    }
    if (character === "{") {
      return this.#error(
        "has a bare {; a parameter is written :id, and \\{ is the character",
        this.#at,
      );
    }
    return this.#error(`has a bare ${character}; write \\${character} for the character`, this.#at);
  }

  #readName(): string | undefined {
    return this.#readMatch(this.#name);
  }

  #readMatch(expression: RegExp): string | undefined {
    expression.lastIndex = this.#at;
    const text = expression.exec(this.#source)?.[0];
    this.#at += text?.length ?? 0;
    return text;
  }

  #addName(name: string, position: number): void {
    if (this.#names.includes(name)) {
      throw this.#error(`has two parameters named ${name}; rename one`, position);
    }
    this.#names.push(name);
  }

  #isNext(character: string): boolean {
    return this.#source[this.#at] === character;
  }

  #take(character: string): boolean {
    if (!this.#isNext(character)) return false;
    this.#at++;
    return true;
  }

  #isSegmentEnd(): boolean {
    return this.#at >= this.#source.length || this.#isNext("/");
  }

  #wildcardError(position: number): PatternError {
    return this.#error(
      "has a * beside other text; a wildcard is the whole last segment, /* or /*name " +
        "(write \\* for the character)",
      position,
    );
  }

  #error(what: string, position: number): PatternError {
    const pattern = this.#source === "" ? "The empty pattern" : `The pattern ${this.#source}`;
    const message = `${pattern} ${what} (position ${position}).`;
    return new PatternError("invalid-pattern", message, { position });
  }
}
