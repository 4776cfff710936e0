import { EspalierError } from "../errors.ts";
import { ValidationError } from "../http/http-error.ts";
import { encodeBase64Url, textOfBase64Url } from "../util/base64url.ts";
import { describe } from "../util/describe.ts";
import { maxCursorLength } from "./rules.ts";

/** Types of the values in a cursor. */
interface CursorTypes {
  string: string;
  number: number;
}

/** Value of a sort column, by which a page continues. */
export type CursorValue = CursorTypes[keyof CursorTypes];

/** Values of a cursor by the names of their types. */
export type CursorValues<Types extends readonly (keyof CursorTypes)[]> = {
  -readonly [Index in keyof Types]: CursorTypes[Types[Index]];
};

/**
 * Encodes the sort values of a row as a cursor.
 *
 * @throws EspalierError `ERR_PAGINATION_BAD_CURSOR` for a value that is not a string or a finite number, and
 *   for a cursor of more than 2,048 characters
 * @example const cursor = encodeCursor([book.title, book.id]);
 */
export function encodeCursor(values: readonly CursorValue[]): string {
  const isValue = (value: unknown): boolean => typeof value === "string" || Number.isFinite(value);
  // The function `cursorOf` of a page may be async by mistake.
  if (!Array.isArray(values)) {
    throw new EspalierError(
      "ERR_PAGINATION_BAD_CURSOR",
      `The values of a cursor must be a list such as [book.title, book.id], got ${describe(values)}.`,
    );
  }
  if (!values.every(isValue)) {
    const wrong: unknown = values.find((value) => !isValue(value));
    throw new EspalierError(
      "ERR_PAGINATION_BAD_CURSOR",
      `A value of a cursor must be a string or a finite number, got ${describe(wrong)}. ` +
        "Convert a date with toISOString().",
    );
  }
  const cursor = encodeBase64Url(new TextEncoder().encode(JSON.stringify(values)));
  if (cursor.length <= maxCursorLength) return cursor;
  throw new EspalierError(
    "ERR_PAGINATION_BAD_CURSOR",
    `A cursor must have at most ${maxCursorLength} characters, got ${cursor.length}. ` +
      "Sort by shorter columns.",
  );
}

/**
 * Returns the values of a cursor; undefined without one, for the first page.
 *
 * A cursor is not signed: a client can create one with any values of these types. Bind them as parameters of
 * the statement.
 *
 * @param types type of each value, `"string"` or `"number"`
 * @throws ValidationError, a 422, for a cursor with other values
 * @example const after = readCursor(ctx.validated.query.cursor, "string", "number");
 */
export function readCursor<const Types extends readonly (keyof CursorTypes)[]>(
  cursor: string | undefined,
  ...types: Types
): CursorValues<Types> | undefined {
  if (cursor === undefined) return undefined;
  const values = decode(cursor);
  const isValid =
    Array.isArray(values) &&
    values.length === types.length &&
    types.every((type, index) => typeof values[index] === type);
  if (isValid) return values as unknown as CursorValues<Types>; // compared above
  throw new ValidationError([{ field: "cursor", message: "cursor is not valid" }]);
}

function decode(cursor: string): unknown {
  try {
    return JSON.parse(textOfBase64Url(cursor) ?? "");
  } catch {
    return undefined;
  }
}
