import { escapeHtml } from "../../http/escape-html.ts";

/** HTML that is not escaped again. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Values allowed in a template: strings are escaped, arrays are joined, undefined renders nothing. */
export type HtmlContent = Html | string | number | undefined | readonly HtmlContent[];

/** Template tag for HTML: escapes every value that is not HTML itself. */
export function html(texts: TemplateStringsArray, ...values: readonly HtmlContent[]): Html {
  const parts = texts.map((text, index) => text + render(values[index]));
  return new Html(parts.join(""));
}

function render(value: HtmlContent): string {
  if (value === undefined) return "";
  if (value instanceof Html) return value.text;
  if (typeof value === "object") return value.map(render).join("");
  return escapeHtml(String(value));
}
