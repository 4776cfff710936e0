/** A quality value (RFC 9110, 12.4.2). */
const quality = /^q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/i;

/**
 * Returns the media type that the client prefers by its `Accept` header (RFC 9110, 12.5.1): the first one
 * without the header or if several have the same weight, undefined if the client accepts none of them.
 *
 * A response that depends on it must send `Vary: Accept`. Parameters of media types are ignored.
 *
 * ```ts
 * if (accepts(ctx, "application/json", "text/html") === "text/html") return html(page(book));
 * ```
 */
export function accepts<const Type extends string>(
  request: { readonly headers: Headers },
  ...types: readonly Type[]
): Type | undefined {
  const header = request.headers.get("accept");
  if (header === null || header.trim() === "") return types[0];
  const weights = parseRanges(header);
  let best: Type | undefined;
  let bestWeight = 0;
  for (const type of types) {
    const weight = weightOf(type.toLowerCase(), weights);
    if (weight <= bestWeight) continue;
    best = type;
    bestWeight = weight;
  }
  return best;
}

function parseRanges(header: string): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  for (const part of header.split(",")) {
    const [name = "", ...parameters] = part.split(";").map((piece) => piece.trim().toLowerCase());
    const given = parameters.find((parameter) => parameter.startsWith("q="));
    const weight = given === undefined ? 1 : Number(quality.exec(given)?.[1] ?? Number.NaN);
    if (Number.isNaN(weight)) continue;
    // Ranges that differ only in their parameters are merged; the highest weight wins.
    weights.set(name, Math.max(weights.get(name) ?? 0, weight));
  }
  return weights;
}

/** Returns the weight of the most specific matching range, also if it is 0. */
function weightOf(type: string, weights: ReadonlyMap<string, number>): number {
  const group = `${type.slice(0, type.indexOf("/"))}/*`;
  return weights.get(type) ?? weights.get(group) ?? weights.get("*/*") ?? 0;
}
