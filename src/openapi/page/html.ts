import { escapeHtml } from "../../http/escape-html.ts";

/** Text that is HTML already, and is not escaped again. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** What a template may hold: texts are escaped, lists are joined, undefined is nothing. */
export type HtmlContent = Html | string | number | undefined | readonly HtmlContent[];

/** Builds HTML of a template in which every value is escaped unless it is HTML itself. */
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
