import { EspalierError } from "../../errors.ts";
import type { MatchedRoute } from "../context-input.ts";
import type { MultipartParser } from "../request-parts.ts";

/**
 * Parses multipart forms (RFC 7578), for `ctx.body` and `ctx.parts()`. Its code is loaded by the first form: most
 * applications need none.
 *
 * @example new Application({ multipart }); // both from `espalier/core`
 */
export const multipart: MultipartParser = {
  async read(bytes, contentType, limits) {
    const { readMultipart } = await import("./read-multipart.ts");
    return readMultipart(bytes, contentType, limits);
  },
  async *stream({ request, bodyParsing, route }, limits) {
    if (bodyParsing !== undefined) throw partsNeedOption(route);
    const { parseMultipart } = await import("./parse-multipart.ts");
    const contentType = request.headers.get("content-type") ?? "";
    return yield* parseMultipart(request.body ?? new Uint8Array(), contentType, limits);
  },
};

function partsNeedOption(route: MatchedRoute | undefined): EspalierError {
  const where = route === undefined ? "" : ` of ${route.method} ${route.pattern}`;
  return new EspalierError(
    "ERR_HTTP_BODY_USED",
    `ctx.parts()${where} needs a body that is not parsed. Set the route option bodyParser: false.`,
  );
}
