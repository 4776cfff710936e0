import { escapeHtml } from "espalier";

/** A string of safe HTML. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Part = string | number | Html | readonly Html[];

/** Template tag that builds HTML: every value that is not an `Html` is escaped. */
export function markup(strings: TemplateStringsArray, ...values: readonly Part[]): Html {
  const parts = strings.map((string, index) => {
    const value = values[index];
    return value === undefined ? string : string + toText(value);
  });
  return new Html(parts.join(""));
}

function toText(part: Part): string {
  if (part instanceof Html) return part.text;
  if (typeof part === "object") return part.map(({ text }) => text).join("");
  return escapeHtml(String(part));
}
