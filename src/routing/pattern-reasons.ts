/** `Reason::Duplicate` of `router-wasm/src/error.rs`. */
export const duplicate = 1;

/** One sentence for each reason of `router-wasm/src/error.rs`, by its number. */
export const reasons: readonly string[] = [
  "",
  "a route with this method and shape exists already",
  'a pattern must begin with "/"',
  'a name must follow ":", made of letters, digits, "_" and "$"; write "\\:" for the character',
  "a parameter name occurs twice in the pattern",
  "two parameters must have text between them",
  'a wildcard "*" must be the last segment',
  'a wildcard "*" must be a whole segment; write "\\*" for the character',
  '"?" may follow only a parameter that is a whole segment',
  'a parameter takes one segment, so "+" and "*" cannot follow it; a wildcard "*name" takes the rest',
  "this character belongs to the pattern syntax; write a backslash before it",
  'a constraint is written in parentheses: ":name(regex)", not ":name{regex}"',
  "a parenthesis is unmatched",
  "a constraint must not be empty",
  "a constraint must be regular: no lookaround, no backreference, no anchor inside it",
  "the constraint is not a regular expression",
  "the constraint is too large: at most 64 characters once its {m,n} are written out",
  "a pattern may have at most six optional parameters",
  'a "%" must begin the escape of UTF-8 text; write "%25" for the character',
  "a backslash must precede a punctuation character other than a slash",
  "the pattern is longer than 16,384 characters",
];
