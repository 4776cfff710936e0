import { EspalierError } from "../../errors.ts";
import type { MatchedRoute } from "../context-input.ts";
import type { MultipartParser } from "../request-parts.ts";
import type { parseMultipart } from "./parse-multipart.ts";
import type { readMultipart } from "./read-multipart.ts";

/** Returns the functions that parse multipart forms, or loads them. */
export interface MultipartFunctions {
  readMultipart(): typeof readMultipart | Promise<typeof readMultipart>;
  parseMultipart(): typeof parseMultipart | Promise<typeof parseMultipart>;
}

/** Creates a parser of multipart forms (RFC 7578), for `ctx.body` and `ctx.parts()`. */
export function createMultipartParser(load: MultipartFunctions): MultipartParser {
  return {
    async read(bytes, contentType, limits) {
      const read = await load.readMultipart();
      return read(bytes, contentType, limits);
    },
    async *stream({ request, bodyParsing, route }, limits) {
      if (bodyParsing !== undefined) throw partsNeedOption(route);
      const parse = await load.parseMultipart();
      const contentType = request.headers.get("content-type") ?? "";
      return yield* parse(request.body ?? new Uint8Array(), contentType, limits);
    },
  };
}

function partsNeedOption(route: MatchedRoute | undefined): EspalierError {
  const where = route === undefined ? "" : ` of ${route.method} ${route.pattern}`;
  return new EspalierError(
    "ERR_HTTP_BODY_USED",
    `ctx.parts()${where} needs a body that is not parsed. Set the route option bodyParser: false.`,
  );
}
