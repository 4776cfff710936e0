import { EspalierError } from "../errors.ts";
import { parseMediaType } from "./media-type.ts";

/**
 * Returns a content type if it is valid: some servers send an invalid one unchanged, and others fail on it.
 *
 * @throws EspalierError `ERR_HTTP_BAD_CONTENT_TYPE`
 */
export function checkContentType(type: string): string {
  if (parseMediaType(type) === undefined || /[^\x20-\x7e]/.test(type)) {
    throw new EspalierError(
      "ERR_HTTP_BAD_CONTENT_TYPE",
      `${JSON.stringify(type.slice(0, 200))} is not a valid content type. Use one such as "text/csv".`,
    );
  }
  return type;
}
