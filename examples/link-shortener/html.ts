import { escapeHtml } from "espalier";

/** A string of safe HTML. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Template tag that builds HTML: every value that is not an `Html` is escaped. */
export function markup(
  strings: TemplateStringsArray,
  ...values: readonly (string | number | Html | readonly Html[])[]
): Html {
  const parts = strings.map((string, index) => string + toText(values[index] ?? ""));
  return new Html(parts.join(""));
}

function toText(value: string | number | Html | readonly Html[]): string {
  if (value instanceof Html) return value.text;
  if (typeof value === "object") return value.map(({ text }) => text).join("");
  return escapeHtml(String(value));
}
