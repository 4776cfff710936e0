const weighted = /^([\w*-]+)(?:[ \t]*;[ \t]*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?))?$/i;

/**
 * Returns the coding that `Accept-Encoding` prefers; undefined for none (RFC 9110 section 12.5.3). Ignores
 * malformed members, and uses no coding if `identity` is preferred explicitly.
 *
 * @param codings that are available, in order of preference
 */
export function chooseCoding<const Coding extends string>(
  acceptEncoding: string | null,
  codings: readonly Coding[],
): Coding | undefined {
  const weights = parseWeights(acceptEncoding ?? "");
  const weightOf = (coding: string): number => weights.get(coding) ?? weights.get("*") ?? 0;
  let best: Coding | undefined;
  for (const coding of codings) {
    if (weightOf(coding) > (best === undefined ? 0 : weightOf(best))) best = coding;
  }
  if (best === undefined || weightOf(best) < (weights.get("identity") ?? 0)) return undefined;
  return best;
}

function parseWeights(text: string): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  for (const part of text.split(",")) {
    const [, name, weight = "1"] = weighted.exec(part.trim()) ?? [];
    if (name === undefined) continue;
    const coding = name.toLowerCase() === "x-gzip" ? "gzip" : name.toLowerCase();
    weights.set(coding, Number(weight));
  }
  return weights;
}

/**
 * Returns the client's `Accept-Encoding`; null if the header is absent.
 *
 * Cloudflare's edge replaces the header and keeps the client's value in `cf.clientAcceptEncoding`: by the
 * header alone, a client that does not accept gzip could receive it.
 */
export function acceptEncodingOf(request: Request): string | null {
  const cf: unknown = "cf" in request ? request.cf : undefined;
  if (typeof cf === "object" && cf !== null && "clientAcceptEncoding" in cf) {
    if (typeof cf.clientAcceptEncoding === "string") return cf.clientAcceptEncoding;
  }
  return request.headers.get("accept-encoding");
}
