import { readCursor, ValidationError } from "espalier";

/** Position in a list: a sort key and the id of the last row of the previous page. */
export type Position = [string, string];

/**
 * Reads the position in a cursor; undefined without one.
 *
 * @throws ValidationError for a cursor that this API has not created
 */
export function readPosition(cursor: string | undefined): Position | undefined {
  const position = readCursor(cursor, "string", "string");
  // Clients can create cursors themselves, and PostgreSQL rejects NUL in a string.
  if (position?.some((value) => value.includes("\0"))) {
    throw new ValidationError([{ field: "cursor", message: "cursor is not valid" }]);
  }
  return position;
}
