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
  async *stream(source, contentType, limits) {
    const { parseMultipart } = await import("./parse-multipart.ts");
    return yield* parseMultipart(source, contentType, limits);
  },
};
