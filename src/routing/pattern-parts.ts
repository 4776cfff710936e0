import { findClosingParenthesis } from "./closing-parenthesis.ts";

/** Literal text of a pattern, percent-decoded and unescaped. */
export interface TextPart {
  readonly kind: "text";
  readonly text: string;
}

/** A parameter of a pattern: `:name`, `:name(regex)`, `:name?`. */
export interface ParameterPart {
  readonly kind: "parameter";
  readonly name: string;
  /** Source of the constraint inside the parentheses. */
  readonly constraint: string | undefined;
  readonly isOptional: boolean;
}

/** `*` or `*name`: the rest of the path. */
export interface WildcardPart {
  readonly kind: "wildcard";
  /** `"*"` for an unnamed wildcard. */
  readonly name: string;
}

export type PatternPart = TextPart | ParameterPart | WildcardPart;

/** Parts of one segment: none, one part, or alternating text and parameters. */
export type SegmentParts = readonly PatternPart[];

/**
 * Splits a pattern that a matcher has accepted into its segments.
 *
 * Validation is the matcher's responsibility; nothing is checked here.
 */
export function readPatternParts(pattern: string): readonly SegmentParts[] {
  const segments: PatternPart[][] = [[]];
  // Sticky expressions are stateful, so each call creates a new one.
  const token = /\/|:([A-Za-z_$][\w$]*)|\*([A-Za-z_$][\w$]*)?|(?:\\.|[^/:*\\])+/suy;
  token.lastIndex = pattern.startsWith("/") ? 1 : 0;
  for (let found = token.exec(pattern); found !== null; found = token.exec(pattern)) {
    const [text, name, wildcard] = found;
    if (text === "/") {
      segments.push([]);
    } else if (name !== undefined) {
      const parameter = readParameter(pattern, name, token.lastIndex);
      token.lastIndex = parameter.end;
      segments.at(-1)?.push(parameter.part);
    } else if (text.startsWith("*")) {
      segments.at(-1)?.push({ kind: "wildcard", name: wildcard ?? "*" });
    } else {
      segments.at(-1)?.push({ kind: "text", text: decodeText(text) });
    }
  }
  return segments;
}

/** Reads the optional suffix of a name: a constraint in parentheses, and a question mark. */
function readParameter(
  pattern: string,
  name: string,
  start: number,
): { readonly part: ParameterPart; readonly end: number } {
  const close = pattern[start] === "(" ? findClosingParenthesis(pattern, start) : undefined;
  const constraint = close === undefined ? undefined : pattern.slice(start + 1, close);
  const end = close === undefined ? start : close + 1;
  const isOptional = pattern[end] === "?";
  const part: ParameterPart = { kind: "parameter", name, constraint, isOptional };
  return { part, end: isOptional ? end + 1 : end };
}

function decodeText(text: string): string {
  // An escaped percent sign is literal and must survive the decoding.
  const encoded = text.replace(/\\(.)/gsu, (_, sign: string) => sign.replace("%", "%25"));
  return encoded.includes("%") ? decodeURIComponent(encoded) : encoded;
}
