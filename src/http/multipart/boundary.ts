import { parseMediaType } from "../media-type.ts";
import { malformedForm } from "./failures.ts";

/** 1 to 70 printable ASCII characters, the last one not a blank (RFC 2046, section 5.1.1). */
const boundaryPattern = /^[ -~]{0,69}[!-~]$/;

/**
 * Returns the boundary of a `Content-Type`.
 *
 * The characters are those of RFC 2046 and the rest of printable ASCII, which some clients use. Without control
 * characters, CR occurs in a delimiter at its beginning only; the search depends on that.
 *
 * @throws {HttpError} 400 when it is missing or not a valid boundary
 */
export function parseBoundary(contentType: string): string {
  const boundary = parseMediaType(contentType)?.parameters.get("boundary") ?? "";
  if (!boundaryPattern.test(boundary)) {
    throw malformedForm("its boundary must have 1 to 70 printable ASCII characters");
  }
  return boundary;
}
