import type { MultipartParser } from "../request-parts.ts";
import { createMultipartParser } from "./multipart-parser.ts";
import { parseMultipart } from "./parse-multipart.ts";
import { readMultipart } from "./read-multipart.ts";

/**
 * Parses multipart forms (RFC 7578), for `ctx.body` and `ctx.parts()`.
 *
 * @example new Application({ multipart }); // both from `espalier/core`
 */
export const multipart: MultipartParser = /* @__PURE__ */ createMultipartParser({
  readMultipart: () => readMultipart,
  parseMultipart: () => parseMultipart,
});
