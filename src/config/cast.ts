import type { ConfigType } from "./field.ts";

const decimal = /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/;
const truths: ReadonlySet<string> = new Set(["true", "1", "yes", "on"]);
const falsehoods: ReadonlySet<string> = new Set(["false", "0", "no", "off"]);

/**
 * What a text means as a value of `type`; the text itself when it means none, so that the check of
 * the type which follows refuses it.
 *
 * A number is a finite decimal with nothing around it. `Boolean("false")` would be true, so
 * booleans are read by word, in any case. A list is separated by commas, blanks around its items
 * and empty items dropped.
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
