/** One element of `Forwarded`, added by one proxy: values by lower-case parameter name. */
export type ForwardedElement = ReadonlyMap<string, string>;

const xForwarded = ["x-forwarded-for", "x-forwarded-proto", "x-forwarded-host"] as const;

/** A parameter (RFC 7239, 4) and what ends it: `;` before another one, a comma before another element. */
const parameter =
  /[ \t]*(?:([\w!#$%&'*+.^`|~-]+)=(?:"((?:[^"\\]|\\.)*)"|([^\s",;]*))[ \t]*)?(;|,|$)/gy;

/** Maximum length of a header that is parsed; a longer one is not from a proxy. */
const maxLength = 8_192;

/**
 * Returns the elements of `Forwarded` (RFC 7239) in the order in which proxies appended them.
 *
 * Undefined if there is any `X-Forwarded-*` header: proxies send one of the two, and pass on what a client
 * sends of the other. Empty if the header is malformed.
 */
export function forwardedElements(headers: Headers): ForwardedElement[] | undefined {
  const text = headers.get("forwarded");
  if (text === null || xForwarded.some((name) => headers.has(name))) return undefined;
  return text.length > maxLength ? [] : parseElements(text);
}

function parseElements(text: string): ForwardedElement[] {
  const elements: ForwardedElement[] = [];
  let element = new Map<string, string>();
  let end = 0;
  for (const match of text.matchAll(parameter)) {
    const [all, name, quoted, token = "", separator] = match;
    end = match.index + all.length;
    const value = quoted === undefined ? token : quoted.replace(/\\(.)/g, "$1");
    if (name !== undefined) element.set(name.toLowerCase(), value);
    if (separator === ";") continue;
    elements.push(element);
    element = new Map();
    if (separator === "") break;
  }
  return end === text.length ? elements : [];
}
