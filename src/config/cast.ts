import type { ConfigType } from "./field.ts";

const decimal = /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/;
const truths: ReadonlySet<string> = new Set(["true", "1", "yes", "on"]);
const falsehoods: ReadonlySet<string> = new Set(["false", "0", "no", "off"]);

/**
 * Casts a string to `type`; returns the string itself if it cannot be cast, so that the type check that
 * follows rejects it.
 *
 * Numbers are finite decimals without surrounding characters. Booleans are matched by word,
 * case-insensitively, because `Boolean("false")` would be `true`. Arrays are comma-separated; spaces
 * around items and empty items are dropped.
 */
export function castText(text: string, type: ConfigType | undefined): unknown {
  switch (type) {
    case "number":
    case "integer":
      return decimal.test(text) ? Number(text) : text;
    case "boolean":
      return castBoolean(text);
    case "array":
      return text
        .split(",")
        .map((item) => item.trim())
        .filter((item) => item !== "");
    default:
      return text;
  }
}

function castBoolean(text: string): unknown {
  const word = text.toLowerCase();
  if (truths.has(word)) return true;
  return falsehoods.has(word) ? false : text;
}
