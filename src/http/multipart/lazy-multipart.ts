import type { MultipartParser } from "../request-parts.ts";
import { createMultipartParser } from "./multipart-parser.ts";

/** Parses multipart forms; the code is loaded by the first form: most applications need none. */
export const lazyMultipart: MultipartParser = /* @__PURE__ */ createMultipartParser({
  readMultipart: async () => (await import("./read-multipart.ts")).readMultipart,
  parseMultipart: async () => (await import("./parse-multipart.ts")).parseMultipart,
});
